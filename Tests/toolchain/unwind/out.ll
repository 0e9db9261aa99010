target triple = "x86_64-unknown-linux-gnu"
@"$e5Small4CellCACycfC" = alias void (), ptr @_swift_dead_method_stub

; Function Attrs: minsize mustprogress nofree norecurse nosync nounwind optsize willreturn memory(none)
define protected range(i64 0, -1) i64 @twice(i64 %0) local_unnamed_addr #0 {
entry:
  %1 = tail call swiftcc i64 @"$e5Small5twiceyS2iF"(i64 %0) #12
  ret i64 %1
}

; Function Attrs: minsize mustprogress nofree norecurse nosync nounwind optsize willreturn memory(none)
define protected swiftcc range(i64 0, -1) i64 @"$e5Small5twiceyS2iF"(i64 %0) local_unnamed_addr #0 {
entry:
  %1 = shl i64 %0, 1
  ret i64 %1
}

; Function Attrs: minsize nounwind optsize
define protected swiftcc void @"$e5Small4CellCfD"(ptr swiftself %0) #1 {
entry:
  tail call void @swift_deallocClassInstance(ptr %0, i64 24, i64 7) #2
  ret void
}

; Function Attrs: nounwind
define weak_odr protected void @swift_deallocClassInstance(ptr %0, i64 %1, i64 %2) local_unnamed_addr #2 {
entry:
  %.refcount = getelementptr inbounds nuw i8, ptr %0, i64 8
  %3 = load i64, ptr %.refcount, align 8
  %.not = icmp sgt i64 %3, -1
  br i1 %.not, label %4, label %5

4:                                                ; preds = %entry
  tail call void @free(ptr nonnull %0)
  br label %5

5:                                                ; preds = %entry, %4
  ret void
}

; Function Attrs: minsize nounwind optsize
define private void @0(ptr %0, i64 %1, i64 %2) local_unnamed_addr #1 {
entry:
  tail call void @free(ptr %0)
  ret void
}

; Function Attrs: minsize mustprogress nounwind optsize willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr noundef captures(none)) local_unnamed_addr #5

attributes #0 = { mustprogress nofree norecurse nosync nounwind uwtable optsize willreturn memory(none) }
attributes #1 = { nounwind uwtable optsize }
attributes #2 = { nounwind uwtable }
attributes #5 = { mustprogress nounwind uwtable optsize willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #12 = { noinline }
