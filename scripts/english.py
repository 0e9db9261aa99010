#!/usr/bin/env python3
"""Counts sentences that are hard to read, and fails if a folder has more of them than its limit.

    english.py            compares all tracked texts with scripts/english.tsv
    english.py FILE…      lists the hits in these files
    english.py --lower    lowers each limit to the figure of today, rounded up by one step

A hit is a clause that replaces a noun, a private word for a standard concept, or a sentence without a verb.
CONTRIBUTING.md describes the style. The patterns find relapses, not all bad text. A limit may only fall."""

import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "scripts/english.tsv"
KINDS = re.compile(r"\.(?:md|mdoc|tsv|[ch]|[ch]pp|hh|cc|swift|go|java|rs|py|rb|lua|p[lm]|sh|cmake|mk)$|"
                   r"Makefile|Lists.txt$")
SKIP = re.compile(r"CHANGELOG|docs/predecessors|scripts/english.py$")

BE = r'(?:is|are|was|were|be|been|being)'
VERB = (r"(?:is|are|was|were|has|have|had|does|do|did|can|cannot|must|may|might|will|would|should|could|needs?|"
        r"comes?|came|goes|went|waits?|waited|stands?|stood|ends?|ended|begins?|began|starts?|started|emits?|emitted|"
        r"gets?|got|asks?|asked|calls?|called|runs?|ran|takes?|took|holds?|held|keeps?|kept|knows?|knew|wants?|"
        r"follows?|followed|leads?|lies|remains?|makes?|made|gives?|gave|tells?|told|passes|passed|"
        r"belongs?|depends?|looks?|puts?|reads?|writes?|uses?|used|says?|said|lets?|works?|works|arrives?|moves?|"
        r"blocks?|brings?|brought|costs?|listens?|lives?|fails?|sets?|sees?|shows?|changes?|leaves?|left|counts?)")
PATTERNS = [re.compile(text, flags) for text, flags in [
    # Clauses that replace a noun.
    (r'(?<!\bknow )(?<!\bsee )(?<!\bshow )(?<!\bshows )(?<!\bdescribes )(?<!\bexplains )(?<!\bdecides )'
     r'(?<!\bof )\bwhat (?:(?:then|else|still|already|later|first|only|never|now|just|always) )?' + VERB + r'\b', re.I),
    (r'\b(?:by|to|from|with|for|in|into|of|on|after|than|as|and|that) what (?:it|they|the|a|an|he|is)\b', re.I),
    (r'^What (?!(?:is|are|do|does|did|if|about|happens|should|can|to|you|we|version)\b[^.]*\?)', 0),
    (r'^(?:Whether|How (?:many|much|often|long|soon|far)|Who|Where|Which) [^?,]*$|'
     r'^That (?:the|a|an|no|every|all|it|they|what|nothing)\b', 0),
    (r'(?:^|[,:;(] |\b(?:and|but|by|for|to|of|or|that|if|as|than|when|with|from|on|so) )[Ww]ho '
     r'(?!(?:knows|cares)\b)(?:' + VERB + r'|[a-z]+s)\b', 0),
    (r'\bwhoever\b|\bwhomever\b|\bwhatever (?!the |a |an |happened)', re.I),
    (r'\bthat which\b|\bthose (?:that|who|which) (?!are left)|\b(?:is|are|was|not) that of\b', re.I),
    (r'\b(?:all|everything|everybody|nobody|somebody) (?:that|who|which) ', re.I),
    (r'\b(?:ones|others|another|any|the former) that\b', re.I),
    # Private words, and words that this project uses 10 to 600 times as often as well-kept texts.
    (BE + r' (?:not |never |all )?told\b|\bhears?\b(?! back)|\btell(?:s)? (?:the|it|them|that|this|its|no)\b', re.I),
    (r'\blet(?:s|ting)? (?:\w+ ){0,3}go\b|\bput(?:s)? (?:it |them |a \w+ )?off\b|'
     r'\bcall(?:s|ed)? (?:it |them )?off\b', re.I),
    (r'\b(?:has|have|had) (?:\w+ )?(?:come|gone|become)\b|\bcome(?:s)? to (?:rest|an? end)\b|\bcame\b', re.I),
    (r'\b(?:values?|events?|errors?|ends?|completion|jobs?|which|what|they|them|this|one|nothing|nobody|work|it) '
     r'comes?\b', re.I),
    (r'\b(?:it|that|which|they|this|one|value|run|work|source|reference|what|signal|event|queue|pipe|thread) goes\b|'
     r'\bgoes (?:by|on|away|nowhere|anywhere|there)\b|\b(?:is|are|was|has been) gone\b', re.I),
    (r'\b(?<!not )so (?:many|much|often|few)\b(?! (?:as|that))|\bas many as\b', re.I),
    (r'\bbe it\b|\bbe they\b|\bhowever (?:that|it|they) (?:comes?|is|are)\b', re.I),
    (r"\bof (?:its|their|his|one's|your|our|my|the program's) own\b", re.I),
    (r'\b(?:by|of) (?:itself|themselves|himself)\b|\bof its accord\b', re.I),
    (r'\bin (?:the|its|their) (?:place|stead) of\b|\bin its place\b|\bin place of\b', re.I),
    (r'\btime (?:is|was|has been) (?:over|up|out)\b|\b(?:is|are|when) due\b', re.I),
    (BE + r' (?:\w+ )?looked (?:at|for|into|after)\b', re.I),
    (r'\bstands?\b|\bstood\b', re.I),
    (r'\b(?:has|have|gives?|returns?) (?:none|no more)\b|'
     r'(?<!there )\bis (?:none|no [a-z]+(?<!longer)(?<!other)(?<!way)(?<!need)(?<!point)(?<!error))\b', re.I),
    (r'\b(?:become|becomes|became) of\b|\bas good as\b|\baffair\b|\bby way of\b|\bhas to do with\b|\bto be had\b|'
     r'\b(?:above|below) (?:it|them)\b', re.I),
    (r'\bmeanwhile\b|\banew\b|\bany more\b|\bfor ever\b|\bagain and again\b|\bmade of\b|\broom\b|\bbesides?\b'
     r'|\b(?:gives?|given|gave) away\b|\blent\b|\bmended\b|\ba run (?:of|is|has|that)\b|\bthe run\b', re.I),
]]
A_VERB = re.compile(r"\b(?:is|are|was|were|be|has|have|had|does|do|did|can|cannot|must|may|might|will|would|should|"
                    r"could|not|use|set|see)\b|n't|'s\b|\b\w{3,}(?:s|ed|en)\b", re.I)
HEADLESS = re.compile(r"^(?:Of|In|By|For|With|Without|At|On|From|As|Not|Only|Behind|Before|After|Between|But|And|"
                      r"Except|Nor|Otherwise|Also|Later|Here|There|Beside|Above|Below|Thus|So|Under|Through|Within) ")


def paragraphs(path, text):
    """The text that a person reads."""
    if path.suffix in (".md", ".mdoc"):
        text = re.sub(r"```.*?```|<!--.*?-->|^ {4,}\S.*?$", "\n\n", text, flags=re.S | re.M)
        text = re.sub(r"^\s*(?:[-*+]|\d+\.) |^\s*\|[-: |]+$", "\n\n", text, flags=re.M)
        text = re.sub(r"^\|.*$", lambda row: "\n\n".join(
            cell for cell in row[0].split("|") if len(cell.split()) > 3), text, flags=re.M)
    elif path.suffix == ".tsv":
        return [cell for cell in re.split("[\\t\\n]", text) if len(cell.split()) > 3]
    elif path.suffix in (".h", ".hpp", ".hh", ".c", ".cc", ".cpp", ".swift", ".go", ".java", ".rs"):
        comments = re.findall(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n?)+", text, flags=re.S | re.M)
        text = "\n\n".join(re.sub(r"^\s*(?://[/!]?|\*+|/\*+)|\*/", "", comment, flags=re.M) for comment in comments)
    else:
        strings = re.findall(r'"""(.*?)"""', text, flags=re.S)
        comments = re.findall(r"(?:^[ \t]*#(?!!)[^\n]*\n?)+|(?<=\s)# [^\n]*", text, flags=re.M)
        text = "\n\n".join([*strings, *(re.sub(r"^\s*#", "", comment, flags=re.M) for comment in comments)])
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "X", text))
    return [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:@|- Param))", text)]


def hits(path):
    """Each sentence of a file with its number of words and its hits."""
    for paragraph in paragraphs(path, path.read_text(encoding="utf-8", errors="replace")):
        for sentence in re.split(r"(?<=[.!?])[\"')*]*\s+(?=[A-Z\"'`*(])", re.sub(r"@\w+|^#+ ", "", paragraph)):
            words = len(re.findall(r"[A-Za-z][A-Za-z'-]*", sentence))
            if words > 2 and not re.search(r"[{};=]{2}|;$|->|\w\(\w*\);", sentence):
                found = [match[0] for pattern in PATTERNS for match in [pattern.search(sentence)] if match]
                headless = words >= 4 and HEADLESS.search(sentence) and sentence.endswith(".")
                found += ["no verb"] if headless and not A_VERB.search(sentence) else []
                yield sentence, words, found


def main():
    if sys.argv[1:] and sys.argv[1] != "--lower":
        for name in sys.argv[1:]:
            for sentence, _, found in hits(pathlib.Path(name)):
                if found:
                    print(f"{name}: {', '.join(found)}: {sentence}")
        return
    head, *lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in lines}
    sums = {place: [0, 0, 0, 0] for place in rows}
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files"], check=True, capture_output=True, text=True).stdout
    for name in tracked.splitlines():
        if KINDS.search(name) and not SKIP.search(name):
            place = max((place for place in rows if place == "." or name.startswith(place)), key=len)
            for _, words, found in hits(ROOT / name):
                sums[place] = [old + new for old, new in zip(sums[place], (1, words, bool(found), len(found)))]
    wrong = 0
    for place, (sentences, words, bad, count) in sums.items():
        percent, rate = 100 * bad / max(sentences, 1), 10000 * count / max(words, 1)
        limits, reason = [float(limit) for limit in rows[place][:2]], rows[place][2]
        over = percent > limits[0] or rate > limits[1]
        wrong += over
        print(f"{place:16} {words:7} words, {percent:.1f} % of {limits[0]:g}, {rate:.0f} per 10,000 of {limits[1]:g}",
              "OVER: `english.py FILE` lists the sentences" if over else "")
        lower = [min(limits[0], math.ceil(percent) + 1), min(limits[1], 10 * math.ceil(rate / 10) + 10)]
        rows[place] = [*(f"{limit:g}" for limit in lower), reason]
    if "--lower" in sys.argv:
        lines = ["\t".join([place, *row]) for place, row in rows.items()]
        TABLE.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
