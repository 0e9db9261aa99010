#!/usr/bin/env python3
"""Holds the reference in build/docs to what Doxygen itself does not look at: every function that the library exports is
in it, tells since when, and explains its parameters.

A parameter is explained when the comment of the function, of its group or of its header names it in backquotes. What
the rules in signalkit.h explain for all functions needs no more: the first argument, which a function is about, and a
callback's `context` and `destroy`."""
import pathlib, re, sys
import xml.etree.ElementTree as xml

root = pathlib.Path(__file__).resolve().parent.parent
exported = set((root / "Tests" / "abi" / "symbols.txt").read_text().split())
complaints, counted = [], {}


def named(*comments):
    """What they have in backquotes."""
    return " ".join("".join(code.itertext()) for comment in comments if comment is not None
                    for code in comment.iter("computeroutput"))


def members(compound):
    """Each with what is in backquotes above it."""
    above = named(compound.find("briefdescription"), compound.find("detaileddescription"))
    for section in compound.iter("sectiondef"):
        for member in section.iter("memberdef"): yield member, above + " " + named(section.find("description"))


for file in sorted((root / "build" / "docs" / "xml").glob("*.xml")):
    for member, above in (pair for compound in xml.parse(file).iter("compounddef") for pair in members(compound)):
        kind, name = member.get("kind"), member.findtext("name")
        comment = [
            part for part in (member.find("briefdescription"), member.find("detaileddescription")) if part is not None
        ]
        place = member.find("location")
        where = f"{place.get('file')}:{place.get('line')}: {name}"
        counted[kind] = counted.get(kind, 0) + 1
        for value in member.iter("enumvalue"):
            counted["value of an enum"] = counted.get("value of an enum", 0) + 1
            if not "".join(value.find("briefdescription").itertext()).strip():
                complaints.append(f"{where}: {value.findtext('name')} is not documented")
        if kind == "variable": continue  # a member of a struct: Doxygen sees to it
        if not any(part.find(".//simplesect[@kind='since']") is not None for part in comment):
            complaints.append(where + ": no @since")
        if kind != "function": continue
        exported.discard(name)
        explained = above + " " + named(*comment)
        for number, parameter in enumerate(member.iter("param")):
            argument = parameter.findtext("declname")
            if argument is None or number == 0 or argument in ("context", "destroy"): continue
            if not re.search(rf"\b{argument}\b", explained):
                complaints.append(f"{where}: the parameter {argument} is not explained")

complaints += [name + ": not in the reference" for name in sorted(exported)]
for complaint in complaints: print(complaint)
print("in the reference:", ", ".join(f"{kind}: {count}" for kind, count in sorted(counted.items())))
sys.exit(1 if complaints else 0)
