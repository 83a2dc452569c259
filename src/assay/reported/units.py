"""Words for tested items and for their classes."""

from __future__ import annotations

UNIT = (
    r"(?:images?|patients?|samples?|slides?|cases|subjects?|scans?|records?|items?|instances?|examples?|lesions?|nodules?"
    r"|participants?|women|men|individuals?|volunteers?|volumes?|exams?|examinations?|radiographs?|x-?rays?|reviews?"
    r"|documents?|sentences?|tweets?|posts?|messages?|clips?|videos?|recordings?|segments?|patches|tiles|cells|nuclei"
    r"|observations?|rows|pairs|questions?|biopsies|specimens?|mammograms?|eyes|masses|tumou?rs?|polyps?|frames?"
    r"|e-?mails?|transactions?|customers?|people|persons|children|adults|proteins?|molecules?|compounds?|sequences?"
    r"|signals?|beats|trials? participants|photographs?|pictures|cohort members|admissions|visits|files|entries"
    r"|houses|homes|properties|apartments|students|users|plants|leaves|songs|comments|articles|vehicles|cars|flights"
    r"|objects|detections|data ?points|test (?:set )?(?:images|samples|cases|items|instances|examples|patients|points))"
)
POSITIVE = (
    r"(?:positives?|pos\b\.?|malignant|malignanc(?:y|ies)|diseased|abnormal|cancers?|cancerous|tumou?rs?|events?"
    r"|affected|infected|sick|fraudulent|relevant|responders?|deaths?|fractures?|toxic|spam)"
)
NEGATIVE = (
    r"(?:negatives?|neg\b\.?|benign|healthy|normals?|controls?|non-?events?|unaffected|uninfected|non-?responders?"
    r"|survivors?|non-?toxic|ham|legitimate|non-?cancer(?:ous)?|non-?diseased)"
)
WITH = (
    r"(?:with(?:\s(?:the|a|an))?\s(?:disease|cancer|tumou?rs?|covid\S*|malignan\w+|lesions?|fractures?|the condition"
    r"|[A-Za-z'\u2019-]+(?:'s)?\s(?:disease|cancer|syndrome)))"
)
NUMERALS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twenty": 20,
}
