# Records of the sources, flags and compiler of a target, so that a deleted source, another flag or another compiler
# builds it again.

# $(call record,NAME,TEXT): $(OBJ)/NAME.record contains TEXT, and is written only when TEXT changes. The path of this
# folder does not count, nor that warnings are errors.
record = $(eval RECORD_$(1) := $(subst $(CURDIR),.,$(filter-out -Werror -warnings-as-errors,$(2))))$(eval \
	$(OBJ)/$(1).record: $(if $(call differ,$(strip $(shell cat $(OBJ)/$(1).record 2>/dev/null)),$(RECORD_$(1))),FORCE))
differ = $(subst <$(1)>,,<$(2)>)$(subst <$(2)>,,<$(1)>)

$(OBJ)/%.record: | $(OBJ)
	@printf '%s\n' '$(subst ','\'',$(RECORD_$*))' >$@

compiler := $(TOOLCHAIN) $(shell stat -Lc '%s %Y' $(TOOLCHAIN)/bin/swiftc $(CLANG) 2>/dev/null)

# $(call from-start,COMMAND): gives the target the time at which COMMAND began. A source that changes while COMMAND runs
# is then newer than the target.
from-start = touch $(begun) && { $(1); } && touch -c -r $(begun) $@ && rm $(begun)
begun = $(OBJ)/$(subst /,-,$@).begun

# $(call keep-warnings,COMMAND): the same, and keeps the warnings of COMMAND in TARGET.warnings. With WERROR=yes, a
# target that was made with warnings is made again. A target without warnings is the same with and without WERROR=yes.
keep-warnings = { $(from-start); } 2>$@.warnings; status=$$?; cat $@.warnings >&2; \
	[ -s $@.warnings ] || rm -f $@.warnings; exit $$status

ifneq ($(WERROR),)
$(basename $(wildcard $(addsuffix .warnings,$(TOP) $(OBJ)/* $(OBJ)/*/* $(OBJ)/*/*/*))): FORCE
endif
.PHONY: FORCE
FORCE:
