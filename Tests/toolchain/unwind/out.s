	.section	.text.twice,"ax",@progbits
	.protected	twice                   # -- Begin function twice
	.globl	twice
	.type	twice,@function
twice:                                  # @twice
	.cfi_startproc
	.cfi_personality 0x1b, sgk_support_personality
# %bb.0:                                # %entry
	jmp	($e5Small5twiceyS2iF)           # TAILCALL
.Lfunc_end0:
	.size	twice, .Lfunc_end0-twice
	.cfi_endproc
                                        # -- End function
	.section	".text.$e5Small4CellCfD","ax",@progbits
	.protected	$e5Small4CellCfD        # -- Begin function $e5Small4CellCfD
	.globl	$e5Small4CellCfD
	.type	$e5Small4CellCfD,@function
$e5Small4CellCfD:                       # @"$e5Small4CellCfD"
	.cfi_startproc
	.cfi_personality 0x1b, sgk_support_personality
# %bb.0:                                # %entry
	movq	%r13, %rdi
	pushq	$24
	.cfi_adjust_cfa_offset 8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	pushq	$7
	.cfi_adjust_cfa_offset 8
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	jmp	swift_deallocClassInstance      # TAILCALL
.Lfunc_end2:
	.size	$e5Small4CellCfD, .Lfunc_end2-$e5Small4CellCfD
	.cfi_endproc
                                        # -- End function
	.section	.text..L__unnamed_1,"ax",@progbits
	.type	.L__unnamed_1,@function         # -- Begin function 
.L__unnamed_1:                          # @0
	.cfi_startproc
	.cfi_personality 0x1b, sgk_support_personality
# %bb.0:                                # %entry
	jmp	free@PLT                        # TAILCALL
.Lfunc_end12:
	.size	.L__unnamed_1, .Lfunc_end12-.L__unnamed_1
	.cfi_endproc
                                        # -- End function
	.type	$e5Small4CellCN,@object
	.globl	$e5Small4CellCN
	.p2align	3, 0x0
$e5Small4CellCN:
	.quad	0
	.quad	$e5Small4CellCfD
	.quad	0
	.quad	swift_deletedMethodError
	.size	$e5Small4CellCN, 32

	.globl	$e5Small4CellCACycfC
	.type	$e5Small4CellCACycfC,@function
$e5Small4CellCACycfC = _swift_dead_method_stub
