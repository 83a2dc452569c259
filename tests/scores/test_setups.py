from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.scores.setups import Kind, Setup, alternatives, find_family, find_setup, list_setups, name_tokens

SUMMARIES = list_setups()
ALL = [find_setup(summary.name) for summary in SUMMARIES]
IMAGE_SIZES = {"drive": 565 * 584, "stare": 700 * 605, "chase_db1": 999 * 960, "hrf": 3504 * 2336}


def counts(setup: Setup) -> dict[str, tuple[int, int]]:
    return {part.name: (part.p, part.n) for part in setup.parts}


# --- the tables


def test_every_summary_agrees_with_the_parts_it_sums_up():
    for summary, setup in zip(SUMMARIES, ALL, strict=True):
        assert (summary.parts, summary.p, summary.n) == (len(setup.parts), setup.p, setup.n), summary.name


def test_every_setup_says_where_its_counts_come_from():
    assert all(setup.source and setup.title for setup in ALL)


def test_only_images_without_lesions_lack_a_class():
    lacking = [(s.name, part) for s in ALL for part in s.parts if part.p < 1 or part.n < 1]
    assert {name.split(".")[0] for name, _ in lacking} == {"diaretdb1"}
    assert all(part.n for _, part in lacking)


def test_lesions_of_diaretdb1_are_marked_by_fewer_the_higher_the_confidence():
    family = {setup.name.rpartition(".")[2]: setup.p for setup in find_family("diaretdb1.test.pixels.he")}
    assert [family[grey] for grey in ("63", "126", "189", "210", "252")] == sorted(family.values(), reverse=True)
    assert {len(setup.parts) for setup in find_family("diaretdb1.test.pixels.he")} == {61}


def test_a_batch_of_diaretdb0_is_a_test_set_of_its_own():
    setup = find_setup("diaretdb0.test.hemorrhages")
    assert len(setup.parts) == 9
    assert setup.part("1").p + setup.part("1").n == 120


def test_names_of_setups_are_unique_however_they_are_spelled():
    keys = Counter("".join(c for c in setup.name.lower() if c.isalnum()) for setup in ALL)
    assert keys.most_common(1)[0][1] == 1


def test_no_part_occurs_twice_in_a_setup_by_name_or_by_counts():
    for setup in ALL:
        assert len({name_tokens(part.name) for part in setup.parts}) == len(setup.parts), setup.name
        if not setup.name.startswith("diaretdb"):  # healthy eyes and batches of images may have equal counts
            assert len(set(counts(setup).values())) == len(setup.parts), setup.name


def test_part_names_leave_room_for_the_signs_that_choose_parts():
    assert not [part.name for s in ALL for part in s.parts if s.kind is not Kind.ONE and set(part.name) & set(",#.")]


@pytest.mark.parametrize("collection", IMAGE_SIZES)
def test_all_pixels_are_as_many_as_the_image_has(collection):
    whole = [s for s in ALL if s.name.startswith(collection) and ".fov" not in s.name]
    assert len(whole) >= 1
    assert {part.p + part.n for setup in whole for part in setup.parts} == {IMAGE_SIZES[collection]}


@pytest.mark.parametrize("name", [s.name for s in ALL if ".fov" in s.name])
def test_the_field_of_view_holds_no_more_than_the_image(name):
    whole = counts(find_setup(name.replace(".fov", ".all")))
    fov = counts(find_setup(name))
    assert fov.keys() == whole.keys()
    assert all(fov[image][0] <= whole[image][0] and fov[image][1] < whole[image][1] for image in fov)


def test_both_observers_of_drive_saw_the_same_field_of_view():
    first, second = (find_setup(f"drive.test.fov.observer{k}") for k in (1, 2))
    assert [a.p + a.n for a in first.parts] == [b.p + b.n for b in second.parts]


@pytest.mark.parametrize("subset", ["test", "train"])
def test_optic_disc_and_cup_shrink_as_more_experts_must_agree(subset):
    disc, cup = ([find_setup(f"drishti_gs.{subset}.{t}.{v}") for v in (64, 128, 191, 255)] for t in ("od", "oc"))
    for setups in (disc, cup):
        for weak, strict in pairwise(setups):
            assert all(a.p > b.p and a.p + a.n == b.p + b.n for a, b in zip(weak.parts, strict.parts, strict=True))
    for outer, inner in zip(disc, cup, strict=True):
        assert all(a.p > b.p and a.p + a.n == b.p + b.n for a, b in zip(outer.parts, inner.parts, strict=True))


def test_the_positive_class_of_the_repositories_is_the_smaller_one():
    repositories = ("keel.", "uci.", "promise.", "wcci2006.")
    assert [s.name for s in ALL if s.name.startswith(repositories) and s.p > s.n] == []


@pytest.mark.parametrize(
    ("name", "p", "n"),
    [
        ("tpehg", 38, 262),
        ("isic2016.test", 75, 304),
        ("isic2017.test#melanoma", 117, 483),
        ("isic2017.test#seborrheic keratosis", 90, 510),
        ("camelyon16.test", 49, 80),
        ("camelyon16.train", 111, 159),
        ("keel.abalone19", 32, 4142),
        ("drive.test.fov#03", 32886, 192841),
        ("drishti_gs.train.od.191#002", 2126 + 76775, 3498497 + 3433 + 2009),
    ],
)
def test_counts_are_the_published_ones(name, p, n):
    setup = find_setup(name)
    assert (setup.p, setup.n) == (p, n)


@pytest.mark.parametrize(
    ("name", "p", "n"), [("german", 300, 700), ("new-thyroid2", 35, 180), ("page-blocks0", 559, 4913)]
)
def test_counts_that_are_wrong_elsewhere_are_those_of_the_original_files(name, p, n):
    assert (find_setup(name).p, find_setup(name).n) == (p, n)


# --- finding


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("abalone19", "keel.abalone19"),
        ("KEEL abalone19", "keel.abalone19"),
        ("ecoli_0_1_3_7_vs_2_6", "keel.ecoli-0-1-3-7_vs_2-6"),
        ("abalone-22_vs_8", "keel.abalone-21_vs_8"),
        ("Drive Test FoV", "drive.test.fov"),
        ("CHASE-DB1", "chase_db1"),
        ("ISIC2016", "isic2016.test"),
        ("  tpehg ", "tpehg"),
    ],
)
def test_case_punctuation_and_repository_do_not_matter(said, meant):
    assert find_setup(said) == find_setup(meant)
    assert find_setup(said).name == meant


def test_an_image_is_found_with_or_without_leading_zeros():
    drive = find_setup("drive.test.fov")
    assert drive.part("3") == drive.part("03") == find_setup("drive.test.fov#3").parts[0]
    assert find_setup("stare.ah#im1").parts == (find_setup("stare.ah").part("im0001"),)


def test_some_images_are_chosen_by_name_or_as_a_run():
    test_half = find_setup("chase_db1#11L..14R")
    assert [part.name for part in test_half.parts] == ["11L", "11R", "12L", "12R", "13L", "13R", "14L", "14R"]
    assert [part.name for part in find_setup("drive.test.all#7, 02, 7").parts] == ["02", "07"]
    assert find_setup("chase_db1#11l .. 14r") == test_half


def test_a_multiclass_setup_gives_its_classes_and_each_against_the_rest():
    isic = find_setup("isic2017.test")
    assert dict(isic.classes) == {"nevus": 393, "melanoma": 117, "seborrheic keratosis": 90}
    assert {part.p + part.n for part in isic.parts} == {600}
    assert not isic.only("melanoma").classes
    assert isic.only("melanoma").kind is Kind.ONE


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("abalon19", 'Did you mean "abalone19"?'),
        ("drive.test", "drive.test.fov, drive.test.all"),
        ("keel", "keel.abalone19, keel.abalone9-18 and 103 more"),
        ("wisconsin", "keel.wisconsin (239 + 444) or uci.wisconsin (241 + 458)"),
        ("nothing like it", "`assay scores setups`"),
        ("", "`assay scores setups`"),
        ("isic2017.test#melanome", 'Did you mean "melanoma"?'),
        ("drive.test.fov#99", "It has 01, 02"),
        ("drive.test.fov#", "It has 01, 02"),
        ("drive.test.fov#05..02", "Write 02..05"),
    ],
)
def test_an_unknown_name_is_an_error_that_helps(said, told):
    with pytest.raises(InputError) as error:
        find_setup(said)
    assert told in str(error.value)


@given(st.text(max_size=30))
def test_any_text_finds_a_setup_or_is_an_input_error(text):
    try:
        setup = find_setup(text)
    except InputError:
        return
    assert setup.parts


def test_every_short_name_finds_its_setup_unless_siblings_share_it():
    owners = Counter(spelling for summary in SUMMARIES for spelling in summary.spellings)
    for summary in SUMMARIES:
        for spelling in summary.spellings:
            if owners[spelling] == 1:
                assert find_setup(spelling).name == summary.name
            else:
                with pytest.raises(InputError, match="several setups") as error:
                    find_setup(spelling)
                assert summary.name in str(error.value)
                assert summary.family


def test_a_setup_shows_itself_in_a_line():
    assert repr(find_setup("tpehg")) == "<Setup tpehg: p=38, n=262>"
    assert repr(find_setup("hrf.all#1_h,2_h")) == "<Setup hrf.all#01_h,02_h: 2 sets, p=1642326, n=14728362>"


# --- other readings


def test_regions_and_observers_are_tried_side_by_side():
    assert [s.name for s in alternatives(find_setup("drive.test.fov"))] == [
        "drive.test.all",
        "drive.test.fov.observer2",
        "drive.test.all.observer2",
    ]


def test_the_other_reading_of_some_images_is_about_the_same_images():
    (whole,) = alternatives(find_setup("hrf.fov#1_dr..3_h"))
    fov = find_setup("hrf.fov#1_dr..3_h")
    assert whole.name == "hrf.all#01_dr..03_h"
    assert [part.name for part in whole.parts] == [part.name for part in fov.parts]
    assert whole.n > fov.n


@pytest.mark.parametrize("setup", [s for s in ALL if s.family], ids=lambda s: s.name)
def test_readings_of_one_family_are_each_others_alternatives_and_differ(setup):
    others = alternatives(setup)
    assert others
    for other in others:
        assert setup in alternatives(other)
        assert [part.name for part in other.parts] == [part.name for part in setup.parts] or setup.kind is Kind.ONE
        assert (other.p, other.n) != (setup.p, setup.n)


def test_a_setup_without_relatives_has_no_other_reading():
    assert alternatives(find_setup("tpehg")) == []
