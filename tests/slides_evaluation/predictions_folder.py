"""A predictions folder small enough to compute by hand.

Two patients with tumour (A has two lesions and a group of isolated cells, B one lesion), one without (C and D).
"""

from pathlib import Path

SLIDES = """slide,patient,set,label,score,class,predicted_class
A,p1,test,1,0.9,macro,macro
B,p2,test,1,0.4,micro,negative
C,p3,test,0,0.5,negative,itc
D,p3,test,0,0.1,negative,negative
"""
PATCHES = """slide,x_um,y_um,label,score
A,32,32,1,0.9
A,96,32,1,0.2
A,160,32,0,0.6
B,32,32,1,0.7
C,32,32,0,0.1
C,96,32,0,0.3
"""
LESIONS = """slide,x_um,y_um,score
A,300,300,0.9
A,400,400,0.95
A,2020,300,0.99
A,3000,3000,0.8
B,600,600,0.4
C,100,100,0.7
C,900,100,0.3
"""
PATIENTS = """patient,stage,predicted_stage
p1,pN1,pN2
p2,pN1mi,pN0
p3,pN0,pN0
"""


def square(slide: str, polygon: str, left: float, top: float, side: float) -> str:
    corners = [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]
    return "".join(f"{slide},{polygon},{x:g},{y:g}\n" for x, y in corners)


POLYGONS = (
    "slide,polygon,x_um,y_um\n"
    + square("A", "first", 200, 200, 400)
    + square("A", "second", 1000, 1000, 400)
    + square("A", "cells", 2000, 280, 48)
    + square("B", "only", 400, 400, 400)
)
FILES = {
    "slides.csv": SLIDES,
    "patches.csv": PATCHES,
    "lesions.csv": LESIONS,
    "patients.csv": PATIENTS,
    "polygons.csv": POLYGONS,
}


def write_folder(folder: Path, **changed: str | None) -> Path:
    """The folder with some files (named without .csv) changed, or left out with None."""
    folder.mkdir(exist_ok=True)
    for name, text in FILES.items():
        told = changed.get(name.removesuffix(".csv"), text)
        if told is not None:
            (folder / name).write_text(told, encoding="utf-8")
    return folder
