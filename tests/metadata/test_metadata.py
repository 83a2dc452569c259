"""Metadata of five formats are read alike, written as their schemas demand, and never crash a reader."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.cli import main
from assay.errors import InputError
from assay.metadata.citation import read_citation, write_citation
from assay.metadata.description import DataFile, Description, Kind, Part, Person, Score
from assay.metadata.files import metadata_of
from assay.metadata.linked import read_linked, write_codemeta, write_crate
from assay.metadata.model_card import read_model_card, sections_of, sheet_answers, write_model_card
from public_schemas import assert_follows

ABOUT = Description(
    title="Tumour net",
    abstract="Finds tumours.",
    version="1.2.0",
    doi="10.5281/zenodo.1234567",
    licence="Apache-2.0",
    authors=(Person("Okafor", "Ada", "0000-0002-1825-0097", "Example University"), Person("Imaging Group")),
    keywords=("pathology", "deep learning"),
    repository="https://example.org/tumour-net",
    url="https://example.org",
    released="2025-03-01",
)
CROISSANT = {
    "@context": {"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"},
    "@type": "sc:Dataset",
    "conformsTo": "http://mlcommons.org/croissant/1.0",
    "name": "slides",
    "license": "https://spdx.org/licenses/CC-BY-4.0.html",
    "creator": {"@type": "Person", "name": "Ada Okafor"},
    "distribution": [
        {"@type": "cr:FileObject", "@id": "a", "contentUrl": "train.csv", "contentSize": "12 MB", "sha256": "ab"},
        {"@type": "cr:FileSet", "@id": "b", "includes": "*.png"},
    ],
    "recordSet": [
        {
            "@type": "cr:RecordSet",
            "@id": "split",
            "dataType": "cr:Split",
            "data": [{"split/name": "train"}, {"split/name": "test"}],
        },
        {
            "@type": "cr:RecordSet",
            "@id": "rows",
            "field": [{"@id": "rows/part", "dataType": ["sc:Text", "wd:Q3985153"]}],
            "data": [{"rows/part": "a"}, {"rows/part": "b"}, {"rows/part": "a"}],
        },
    ],
}
CARD = """---
license: apache-2.0
tags: [histology]
datasets:
- camelyon
model-index:
- name: Tumour net
  results:
  - task: {type: image-classification}
    dataset: {name: CAMELYON16, type: camelyon, split: test}
    metrics:
    - {type: accuracy, value: 0.940}
---
# Tumour net

## Training Data
CAMELYON16, 270 slides.

### Preprocessing [optional]
[More Information Needed]

## Uses
Screening in Dutch hospitals.
"""


def test_citation_comes_back_as_it_was() -> None:
    assert replace(read_citation(write_citation(ABOUT), "CITATION.cff"), source="") == ABOUT


def test_codemeta_comes_back_as_it_was() -> None:
    assert replace(read_linked(write_codemeta(ABOUT), "codemeta.json"), source="") == ABOUT


def test_written_citations_follow_the_official_schema(tmp_path: Path) -> None:
    for number, about in enumerate([ABOUT, Description(""), Description("x", Kind.DATASET, licence="custom terms")]):
        (tmp_path / f"{number}.cff").write_text(write_citation(about), encoding="utf-8")
    assert_follows("citation-file-format", tmp_path.iterdir())


def test_crate_of_an_audit_links_reports_subject_and_run() -> None:
    written = write_crate(ABOUT, {"report.json": b"{}", "report.html": b"<p>"}, on="2026-01-31", licence="CC0-1.0")
    entities = {entity["@id"]: entity for entity in json.loads(written)["@graph"]}
    root = entities["./"]
    assert entities["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert [part["@id"] for part in root["hasPart"]] == ["report.json", "report.html"]
    assert (root["datePublished"], root["license"]) == ("2026-01-31", "CC0-1.0")
    action = entities[root["mentions"][0]["@id"]]
    assert action["result"] == root["hasPart"]
    assert entities[action["object"][0]["@id"]]["name"] == "Tumour net"
    assert entities[action["instrument"]["@id"]]["name"] == "Assay"
    assert entities["report.json"]["sha256"].startswith("44136fa3")
    told = read_linked(written, "ro-crate-metadata.json")
    assert told.title == "Audit of Tumour net"
    assert [file.name for file in told.files] == ["report.json", "report.html"]


def test_every_reference_in_a_crate_leads_to_an_entity() -> None:
    graph = json.loads(write_crate(ABOUT, {"r.json": b""}, on="2026-01-31"))["@graph"]
    known = {entity["@id"] for entity in graph}

    def references(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value["@id"]] if set(value) == {"@id"} else []
            return own + [r for inner in value.values() for r in references(inner)]
        return [r for item in value for r in references(item)] if isinstance(value, list) else []

    assert {r for r in references(graph) if not r.startswith("https://")} - known == set()


def test_croissant_tells_parts_files_and_licence() -> None:
    told = read_linked(json.dumps(CROISSANT), "croissant.json")
    assert told.parts == (Part("train"), Part("test"), Part("a", 2), Part("b", 1))
    assert told.files == (DataFile("train.csv", "12 MB", "ab"),)
    assert (told.kind, told.licence, told.authors) == (Kind.DATASET, "CC-BY-4.0", (Person("Ada Okafor"),))


def test_model_card_keeps_the_digits_of_its_scores() -> None:
    told = read_model_card(CARD, "README.md")
    assert told.scores == (Score("accuracy", "0.940", "CAMELYON16", "test", "image-classification"),)
    assert (told.title, told.licence, told.data) == ("Tumour net", "Apache-2.0", ("camelyon",))


def test_card_answers_items_of_the_sheet_but_not_with_its_placeholders() -> None:
    answers = sheet_answers(read_model_card(CARD, "README.md"), sections_of(CARD))
    assert answers["A4"] == "Screening in Dutch hospitals."
    assert answers["B2"] == "CAMELYON16, 270 slides."
    assert answers["B1"] == "Scores are reported on CAMELYON16 (test)."
    assert "B3" not in answers


def test_written_card_is_read_again() -> None:
    about = read_model_card(CARD, "README.md")
    written = write_model_card(about, {"A4": "Claim", "B9": "Duplicates"}, {"A4": "It finds tumours."})
    again = read_model_card(written, "README.md")
    assert (again.title, again.scores, again.data) == (about.title, about.scores, about.data)
    assert sections_of(written) == {"claim": "It finds tumours.", "duplicates": "Not answered."}


# --- hostile input ---------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
KEYS = ["@context", "@graph", "@type", "name", "author", "license", "recordSet", "distribution", "keywords", "hasPart"]


@given(st.dictionaries(st.sampled_from([*KEYS, "@id", "about", "data", "field", "dataType", "identifier"]), JSON))
def test_any_json_ends_in_a_description_or_an_input_error(data: dict[str, object]) -> None:
    for kind in ({}, {"@context": "codemeta"}, {"recordSet": [data]}, {"@graph": [data | {"@id": "./"}]}):
        try:
            told = read_linked(json.dumps(data | kind), "x.json")
        except InputError:
            continue
        assert read_linked(write_codemeta(told), "y.json").title == told.title
        assert write_citation(told)


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ("[" * 100_000, "a.json", "is not JSON"),
        ("[1]", "a.json", "not a JSON object"),
        ("{}", "a.json", "no metadata file that is known"),
        ('{"@graph": []}', "a.json", "no root dataset"),
        ("title: x", "a.cff", "cff-version"),
        ("a: &a [*a]", "a.cff", "aliases"),
        ("# Title", "README.md", "no front matter"),
        ("---\na: [\n---\n", "README.md", "not valid YAML"),
        ("x", "a.txt", "by its name"),
    ],
)
def test_bad_files_are_input_errors(text: str, path: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        metadata_of(text, path)


# --- the commands ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "CITATION.cff").write_text(write_citation(replace(ABOUT, doi="")), encoding="utf-8")
    (tmp_path / "codemeta.json").write_text(write_codemeta(ABOUT), encoding="utf-8")
    (tmp_path / "README.md").write_text(CARD, encoding="utf-8")
    (tmp_path / "report.json").write_text("{}")
    return tmp_path


def test_a_folder_is_read_side_by_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metadata", "read", ".", "--format", "json"]) == 0
    tables = {table["title"]: table for table in json.loads(capsys.readouterr().out)["tables"]}
    assert tables["Fields"]["columns"] == ["field", "CITATION.cff", "codemeta.json", "README.md"]
    assert ["doi", None, "10.5281/zenodo.1234567", None] in tables["Fields"]["rows"]
    assert tables["Scores"]["rows"][0][1:4] == ["accuracy", "0.940", "CAMELYON16"]


def test_what_one_file_omits_another_may_say(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metadata", "convert", ".", "--to", "cff"]) == 0
    assert read_citation(capsys.readouterr().out, "x").doi == ABOUT.doi


def test_reports_go_into_the_crate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["metadata", "convert", "CITATION.cff", "--to", "ro-crate", "--report", "report.json", "-o", "c.json"]
    assert main(words) == 0
    assert read_linked((folder / "c.json").read_text(), "c.json").files[0].name == "report.json"
    assert main(["metadata", "convert", ".", "--to", "cff", "--report", "report.json"]) == 2
    assert main(["metadata", "convert", ".", "--to", "ro-crate", "--report", "not-there"]) == 2


def test_sheet_and_card_go_both_ways(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metadata", "sheet", "README.md", "-o", "sheet.yaml"]) == 0
    assert "answers proposed" in capsys.readouterr().err
    sheet = (folder / "sheet.yaml").read_text()
    assert "Screening in Dutch hospitals." in sheet
    assert main(["metadata", "card", "sheet.yaml", "--about", "README.md"]) == 0
    assert "Screening" not in capsys.readouterr().out  # proposed, and confirmed by nobody
    (folder / "sheet.yaml").write_text(sheet.replace('    proposed: "assay metadata"\n', ""))
    assert main(["metadata", "card", "sheet.yaml", "--about", "README.md"]) == 0
    card = capsys.readouterr().out
    assert "## Claim\n\nScreening in Dutch hospitals." in card
    assert read_model_card(card, "x.md").scores[0].value == "0.940"
