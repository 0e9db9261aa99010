target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: minsize nounwind optsize
define protected swiftcc ptr @"$e9SignalKit14switchToLatestyAA0A0CyxGF"(ptr returned captures(ret: address, provenance) %0) local_unnamed_addr #10000 !dbg !3 {
entry:
  %or.cond.not.i = icmp sgt ptr %0, null, !dbg !4
  br i1 true, label %1, label %swift_retain.exit, !dbg !4
1:                                                ; preds = %entry
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8, !dbg !4
  call preserve_mostcc void @sgk_support_retain(ptr %0), !dbg !4
  br i1 true, label %swift_retain.exit, label %6, !dbg !4
6:                                                ; preds = %1
  %7 = atomicrmw add ptr %2, i64 1 monotonic, align 8, !dbg !4
  br label %swift_retain.exit, !dbg !4
swift_retain.exit:                                ; preds = %entry, %1, %6
  ret ptr %0, !dbg !4
}

; Function Attrs: minsize nounwind optsize
define protected swiftcc ptr @"$e9SignalKit4GateC4heldyxF"(ptr returned captures(ret: address, provenance) %0) local_unnamed_addr #0 {
entry:
  %or.cond.not.i = icmp sgt ptr %0, null
  br i1 %or.cond.not.i, label %1, label %swift_retain.exit
1:                                                ; preds = %entry
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load atomic i64, ptr %2 monotonic, align 8
  %4 = and i64 %3, 9223372036854775807
  %5 = icmp eq i64 %4, 9223372036854775807
  br i1 %5, label %swift_retain.exit, label %6
6:                                                ; preds = %1
  %7 = atomicrmw add ptr %2, i64 1 monotonic, align 8
  br label %swift_retain.exit
swift_retain.exit:                                ; preds = %entry, %1, %6
  ret ptr %0
}

; Function Attrs: minsize nounwind optsize
define protected swiftcc ptr @"$e9SignalKit5OtherC4nextyyxF"(ptr returned captures(ret: address, provenance) %0) local_unnamed_addr #1 {
entry:
  %or.cond.not.i = icmp sgt ptr %0, null
  br i1 %or.cond.not.i, label %1, label %swift_retain.exit
1:                                                ; preds = %entry
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load atomic i64, ptr %2 monotonic, align 8
  %4 = and i64 %3, 9223372036854775807
  %5 = icmp eq i64 %4, 9223372036854775807
  br i1 %5, label %swift_retain.exit, label %6
6:                                                ; preds = %1
  %7 = atomicrmw add ptr %2, i64 1 monotonic, align 8
  br label %swift_retain.exit
swift_retain.exit:                                ; preds = %entry, %1, %6
  ret ptr %0
}

; Function Attrs: minsize nounwind optsize
define protected swiftcc ptr @"$e9SignalKit06SharedA0C4heldyxF"(ptr returned captures(ret: address, provenance) %0) local_unnamed_addr #1 {
entry:
  %or.cond.not.i = icmp sgt ptr %0, null
  br i1 %or.cond.not.i, label %1, label %swift_retain.exit
1:                                                ; preds = %entry
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load atomic i64, ptr %2 monotonic, align 8
  %4 = and i64 %3, 9223372036854775807
  %5 = icmp eq i64 %4, 9223372036854775807
  br i1 %5, label %swift_retain.exit, label %6
6:                                                ; preds = %1
  %7 = atomicrmw add ptr %2, i64 1 monotonic, align 8
  br label %swift_retain.exit
swift_retain.exit:                                ; preds = %entry, %1, %6
  ret ptr %0
}

; Function Attrs: minsize nounwind optsize
define protected swiftcc i64 @"$e9SignalKit9predicateys6UInt64VF"(i64 %0) local_unnamed_addr #10001 {
entry:
  %1 = icmp sgt i64 %0, 0
  br i1 true, label %2, label %9
2:                                                ; preds = %entry
  %3 = inttoptr i64 %0 to ptr
  %4 = getelementptr inbounds nuw i8, ptr %3, i64 8
  call preserve_mostcc void @sgk_support_retain(ptr %3)
  br i1 true, label %9, label %8
8:                                                ; preds = %2
  %old = atomicrmw add ptr %4, i64 1 monotonic, align 8
  br label %9
9:                                                ; preds = %entry, %2, %8
  %10 = icmp sgt i64 %0, 0
  br i1 %10, label %11, label %12
11:                                               ; preds = %9
  call void @free(ptr null)
  br label %12
12:                                               ; preds = %9, %11
  ret i64 %0
}

; Function Attrs: mustprogress nounwind willreturn
define weak_odr protected ptr @swift_retain(ptr returned %0) local_unnamed_addr #2 {
entry:
  %or.cond.not.i = icmp sgt ptr %0, null
  br i1 %or.cond.not.i, label %1, label %swift_retain.exit
1:                                                ; preds = %entry
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load atomic i64, ptr %2 monotonic, align 8
  %4 = and i64 %3, 9223372036854775807
  %5 = icmp eq i64 %4, 9223372036854775807
  br i1 %5, label %swift_retain.exit, label %6
6:                                                ; preds = %1
  %7 = atomicrmw add ptr %2, i64 1 monotonic, align 8
  br label %swift_retain.exit
swift_retain.exit:                                ; preds = %entry, %1, %6
  ret ptr %0
}
define internal preserve_mostcc void @sgk_support_retain(ptr %0) local_unnamed_addr #2 {
entry:
  %or.cond.not.i = icmp sgt ptr %0, null
  br i1 %or.cond.not.i, label %1, label %swift_retain.exit

1:                                                ; preds = %entry
  %2 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load atomic i64, ptr %2 monotonic, align 8
  %4 = and i64 %3, 9223372036854775807
  %5 = icmp eq i64 %4, 9223372036854775807
  br i1 %5, label %swift_retain.exit, label %6

6:                                                ; preds = %1
  %7 = atomicrmw add ptr %2, i64 1 monotonic, align 8
  br label %swift_retain.exit

swift_retain.exit:                                ; preds = %entry, %1, %6
  ret void
}

declare void @free(ptr) #2

attributes #0 = { nounwind uwtable optsize "target-cpu"="x86-64" "nooutline" }
attributes #10000 = { nounwind uwtable optsize "target-cpu"="x86-64" "frame-pointer"="non-leaf" }
attributes #1 = { nounwind uwtable optsize "nooutline" }
attributes #10001 = { nounwind uwtable optsize "frame-pointer"="non-leaf" }
attributes #2 = { mustprogress nounwind uwtable willreturn "nooutline" }
attributes #10002 = { mustprogress nounwind uwtable willreturn "frame-pointer"="non-leaf" }

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_Swift, file: !2, isOptimized: true, runtimeVersion: 5, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "in.swift", directory: ".")
!3 = distinct !DISubprogram(name: "retain", scope: !2, file: !2, type: !5, spFlags: DISPFlagDefinition, unit: !1)
!4 = !DILocation(line: 1, scope: !3)
!5 = !DISubroutineType(types: !{null})
