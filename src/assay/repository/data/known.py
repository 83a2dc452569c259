"""Data sets that are known by name. A name with a question mark is also an ordinary word or somebody's name.

Such a name counts only as it is written here, and only beside a word like "dataset". All others count in any
case, with or without hyphens and spaces. Sources: the catalogues of torchvision, TensorFlow Datasets, Hugging Face,
OGB, PyTorch Geometric, UCI, OpenML and the papers that introduced them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from assay.patterns import regex

_NAMES = """
MNIST, Fashion-MNIST, FashionMNIST, EMNIST, KMNIST, QMNIST, MNIST-M, Kuzushiji-MNIST, Rotated MNIST, Moving MNIST,
CIFAR, CIFAR-10, CIFAR-100, CIFAR-10-C, CIFAR-100-C, CIFAR-10.1, CINIC-10, SVHN, STL-10, USPS, ImageNet, ImageNet-1k,
ImageNet-21k, ImageNet-22k, ImageNet-A, ImageNet-C, ImageNet-R, ImageNet-V2, ImageNet-Sketch, Imagenette,
ImageNet-100, ImageNet-LT, TinyImageNet, Tiny-ImageNet, Tiny ImageNet, mini-ImageNet, miniImageNet, tiered-ImageNet,
ILSVRC, ILSVRC2012, ILSVRC2015, CelebA, CelebA-HQ, FFHQ, AFHQ, LSUN, LFW, CASIA-WebFace, MS-Celeb-1M, VGGFace,
VGGFace2, UTKFace, FairFace, Places365, Places205, COCO?, MS COCO, MSCOCO, COCO2014, COCO2017, MS-COCO, COCO-Stuff,
LVIS, PASCAL VOC, Pascal-VOC, PascalVOC, VOC2007, VOC2012, VOC 2012, VOC 2007, VOCdevkit, Cityscapes, ADE20K, KITTI,
nuScenes, Waymo?, Mapillary, BDD100K, CamVid, NYUv2, NYU Depth, NYU-Depth-V2, SUN RGB-D, ScanNet, ShapeNet, ModelNet,
ModelNet10, ModelNet40, S3DIS, Matterport3D, Semantic3D, SemanticKITTI, Objects365, OpenImages, Open Images,
Visual Genome, VisualGenome, Flickr8k, Flickr30k, Conceptual Captions, LAION, LAION-400M, LAION-5B, YFCC100M,
Omniglot, CUB-200, CUB-200-2011, Caltech-UCSD Birds, CUB200, Stanford Cars, Stanford Dogs, Oxford Flowers, Flowers102,
Oxford-IIIT Pet, FGVC-Aircraft, Food-101, Food101, DTD?, SUN397, Caltech101, Caltech-101, Caltech256, Caltech-256,
Office-31, Office-Home, OfficeHome, DomainNet, PACS?, VLCS, TerraIncognita, VisDA, VisDA-2017, iNaturalist, iNat2018,
iWildCam, EuroSAT, BigEarthNet, PatternNet, UC Merced, RESISC45, xView, DOTA?, SpaceNet, DeepGlobe, Market-1501,
Market1501, DukeMTMC, DukeMTMC-reID, CUHK03, MSMT17, MOT16, MOT17, MOT20, GOT-10k, LaSOT, TrackingNet, OTB100,
VOT2018, DAVIS2017, YouTube-VOS, UCF101, UCF-101, HMDB51, HMDB-51, Kinetics?, Kinetics-400, Kinetics-600,
Something-Something, ActivityNet, Charades?, AVA?, EPIC-Kitchens, Ego4D, HowTo100M, MSR-VTT, MSVD, MPII?, Human3.6M,
3DPW, AMASS?, COCO-WholeBody, LSP?, WIDER FACE, WiderFace, AFLW, 300W, WFLW, DIV2K, Flickr2K, Set5, Set14, BSD68,
BSD100, BSD300, BSD500, BSDS300, BSDS500, Urban100, Manga109, REDS?, Vimeo90K, GoPro?, SIDD, Vid4, SYNTHIA, GTA5,
GTAV, DAGM, MVTec, MVTec AD, VisA?, SIXray, ChestX-ray14, ChestXray14, CheXpert, MIMIC-CXR, MIMIC-III, MIMIC-IV,
MIMIC, eICU, PhysioNet?, PadChest, RSNA?, LIDC-IDRI, LUNA16, BraTS, BraTS2018, BraTS2020, BraTS2021, ACDC?, LiTS,
KiTS19, KiTS, CHAOS?, PROMISE12, ISIC?, ISIC2018, ISIC 2018, ISIC2019, HAM10000, DRIVE?, STARE?, CHASE_DB1, Messidor,
EyePACS, IDRiD, PatchCamelyon, PCam, CAMELYON16, CAMELYON17, TCGA, PANDA?, BACH?, BreakHis, CoNSeP, PanNuke, MoNuSeg,
GlaS?, Kvasir, Kvasir-SEG, CVC-ClinicDB, fastMRI, OASIS?, ADNI, ABIDE, HCP?, UK Biobank, MedMNIST, PathMNIST, COVIDx,
JSRT, DDSM, CBIS-DDSM, MIT-BIH, PTB-XL, CHB-MIT, Sleep-EDF, SHHS, BCI Competition, DEAP?, SEED?, PAMAP2, UCI HAR,
WISDM?, IMDB, IMDb, Yelp, Amazon Reviews, AG News, AGNews, AG_NEWS, DBpedia, Yahoo Answers, 20 Newsgroups,
20Newsgroups, 20NG, Reuters-21578, RCV1, R52, R8?, Ohsumed, SST?, SST-2, SST-5, MR?, TREC?, SUBJ?, CoLA?, MRPC, QQP,
STS-B, MNLI, MultiNLI, SNLI, QNLI, RTE?, WNLI, XNLI, ANLI, GLUE?, SuperGLUE, SQuAD, SQuADv2, NewsQA, TriviaQA,
HotpotQA, Natural Questions, NaturalQuestions, MS MARCO, MSMARCO, BEIR?, CoQA, QuAC, DROP?, RACE?, BoolQ, PIQA,
HellaSwag, WinoGrande, CommonsenseQA, OpenBookQA, ARC?, MMLU, BIG-bench, GSM8K, HumanEval, MBPP, APPS?, MATH?,
CNN/DailyMail, CNN DailyMail, CNN/DM, XSum, Gigaword?, SAMSum, PubMedQA, PubMed?, arXiv?, BioASQ, WMT14, WMT'14,
WMT16, WMT17, WMT19, IWSLT, IWSLT14, IWSLT15, Multi30k, FLORES?, OPUS?, Europarl, Penn Treebank, PTB?, PennTreebank,
WikiText, WikiText-2, WikiText-103, WikiText2, WikiText103, enwik8, enwik9, text8, One Billion Word, lm1b, BookCorpus,
BooksCorpus, OpenWebText, WebText, C4?, The Pile, RedPajama, Wikipedia?, CommonCrawl, Common Crawl, CC-News, OSCAR?,
mC4, CoNLL, CoNLL-2003, CoNLL03, CoNLL2003, CoNLL-2012, OntoNotes, ACE 2005, ACE05, TACRED, DocRED, SemEval, SciERC,
BC5CDR, NCBI-disease, FewRel, MultiWOZ, DSTC2, PersonaChat, DailyDialog, ATIS, SNIPS, CLINC150, WikiSQL, Spider?,
CodeSearchNet, Shakespeare?, TinyShakespeare, MovieLens, MovieLens-1M, MovieLens-20M, ML-100K, ML-1M, ML-20M, ml1m,
Netflix Prize, Criteo, Avazu, Gowalla, Amazon-Book, Amazon Book, LastFM, Last.fm, Yelp2018, Book-Crossing,
BookCrossing, Goodreads?, Taobao, Tmall, Yoochoose, Diginetica, Retailrocket, Pinterest?, Foursquare?, Cora?,
Citeseer, CiteSeer, Pubmed-Diabetes, Planetoid, DBLP, Reddit?, PPI?, ogbn-arxiv, ogbn-products, ogbn-proteins,
ogbn-papers100M, ogbn-mag, ogbg-molhiv, ogbg-molpcba, ogbl-collab, ogbl-citation2, OGB-LSC, MUTAG, PROTEINS?,
ENZYMES?, COLLAB?, IMDB-BINARY, IMDB-MULTI, REDDIT-BINARY, NCI1, NCI109, DD?, ZINC?, ZINC250k, QM7, QM8, QM9, MD17,
ESOL, FreeSolv, Lipophilicity, HIV?, BACE?, BBBP, Tox21, ToxCast, SIDER?, ClinTox, MoleculeNet, MUV?, ChEMBL, PDBbind,
BindingDB, DAVIS?, KIBA, STRING?, FB15k, FB15k-237, FB15K237, WN18, WN18RR, YAGO3-10, NELL-995, Freebase, WordNet?,
ConceptNet, AIFB, AM?, BGS?, METR-LA, PEMS-BAY, PeMS, PEMS04, PEMS08, PeMSD4, PeMSD8, ETTh1, ETTh2, ETTm1, ETTm2,
ETT?, Electricity?, ECL?, Exchange-Rate, Solar-Energy, Traffic?, ILI?, M3?, M4?, M5?, Tourism?, UCR?, UCR archive,
UEA?, UCI?, NASA C-MAPSS, C-MAPSS, CMAPSS, SWaT, WADI, SMD?, SMAP?, MSL?, NAB?, Yahoo S5, KDD99, KDD Cup 99, KDDCup99,
NSL-KDD, UNSW-NB15, CICIDS2017, CIC-IDS2017, Iris?, Adult?, Wine?, Boston Housing, California Housing,
Breast Cancer Wisconsin, German Credit, COMPAS?, Titanic?, HIGGS, Covertype, Forest Cover, Poker Hand,
Abalone?, Bike Sharing, YearPredictionMSD, Bank Marketing, Porto Seguro, Home Credit, LibriSpeech, LibriTTS, LibriMix,
LJSpeech, LJ Speech, LJ-Speech, VCTK, VoxCeleb, VoxCeleb1, VoxCeleb2, TIMIT?, WSJ?, WSJ0-2mix, TED-LIUM, CommonVoice,
Common Voice, AISHELL, AISHELL-1, Switchboard?, CHiME?, ESC-50, ESC50, UrbanSound8K, AudioSet, FSD50K,
Speech Commands, SpeechCommands, Google Speech Commands, GTZAN, MagnaTagATune, Million Song Dataset, MUSDB18,
MAESTRO?, NSynth, FMA?, IEMOCAP, RAVDESS, CREMA-D, MELD?, CMU-MOSI, CMU-MOSEI, MOSI, MOSEI, VoiceBank, DNS Challenge,
VQA?, VQAv2, VQA 2.0, VQA-CP, GQA, CLEVR, NLVR2, OK-VQA, TextVQA, VizWiz, RefCOCO, RefCOCO+, VCR?, SNLI-VE,
Room-to-Room, R2R?, ALFRED?, D4RL, Atari?, MuJoCo?, BabyAI, dSprites, 3DShapes, MPI3D, SmallNORB, Colored MNIST,
Waterbirds, CelebA-Mask, WILDS?, Civil Comments, CivilComments, Quick Draw, QuickDraw, Sketchy?, TU-Berlin, NUS-WIDE,
MIRFlickr, MIRFlickr25k, DeepFashion, Fashion-Gen, Polyvore, CARLA?, Argoverse, ApolloScape, TuSimple, CULane,
Stanford Online Products, In-Shop, Google Landmarks, RParis6k, ROxford5k, Oxford5k, HPatches, MegaDepth,
Tanks and Temples, DTU?, BlendedMVS, RealEstate10K, SemEval-2010, RealNews, FEVER?, LIAR?, FakeNewsNet, Twitter15,
Twitter16, Weibo?, PHEME, HateXplain, OLID, Sentiment140, Stanford Sentiment Treebank, Davis-KIBA, ETH?, UCY, ETH/UCY,
SDD?, NTU RGB+D, NTU-RGB+D, Kinetics-Skeleton, FER2013, AffectNet, RAF-DB, FaceForensics++, FaceForensics, DFDC,
Celeb-DF, CASIA-SURF, GTSRB, LISA?, BelgiumTS, ICDAR?, ICDAR2015, IIIT5K, SynthText, MJSynth, IAM?, RVL-CDIP, FUNSD,
CORD?, DocVQA, PubLayNet, PlantVillage, ImageCLEF, PubChem, UniProt, UniRef50, Pfam, CASP?, CATH?, GTEx, ENCODE?,
CCLE, GDSC
"""
_WORDS = regex(r"[A-Za-z0-9][\w.'/+&-]*")
_LOOSE = regex(r"[-_ ./'+&]")
_CONTEXT = regex(r"data[-_ ]?sets?\b|\bdata\b|\bcorp(?:us|ora)\b|\bbenchmarks?\b|\bimages\b", re.IGNORECASE)
_MOST_WORDS = 60_000
_LONGEST = 3
_LONG = 40
"""Signs; what is longer than a word is not remembered."""

SURE: dict[str, str] = {}
AMBIGUOUS: dict[str, str] = {}


def _squeezed(name: str) -> str:
    return _squeezed_word(name) if len(name) < _LONG else _LOOSE.sub("", name).lower()


@lru_cache(maxsize=20_000)
def _squeezed_word(name: str) -> str:
    """Most words come again and again."""
    return _LOOSE.sub("", name).lower()


for _name in re.split(r",\s+", _NAMES.strip()):
    if _name.endswith("?"):
        AMBIGUOUS[_squeezed(_name[:-1])] = _name[:-1]
    else:
        SURE.setdefault(_squeezed(_name), _name)
_BEGINNINGS = frozenset(key[:end] for key in (*SURE, *AMBIGUOUS) for end in range(1, len(key) + 1))
"""What a word must be for a name to start with it; hardly any word is."""


def named_in(text: str) -> list[tuple[str, int]]:
    """Every known data set that a text in prose names, with the offset; the longest name at each place."""
    if not _may_name([_squeezed(word.rstrip(".'/-")) for word in _WORDS.findall(text)]):
        return []
    words = [(m[0].rstrip(".'/-"), m.start()) for m in _bounded(text)]
    keys = [_squeezed(word) for word, _ in words]
    found: list[tuple[str, int]] = []
    spot = 0
    while spot < len(words):
        most = min(_LONGEST, len(words) - spot) if keys[spot] in _BEGINNINGS else 0
        for count in range(most, 0, -1):
            key = "".join(keys[spot : spot + count])
            near = words[spot + count - 1][1] - words[spot][1] < 60
            name = SURE.get(key) if near else None
            if name is None and near and key in AMBIGUOUS:
                name = _if_meant(AMBIGUOUS[key], text, words[spot][1], count)
            if name is not None:
                found.append((name, words[spot][1]))
                spot += count - 1
                break
        spot += 1
    return found


def _may_name(keys: list[str]) -> bool:
    """Whether some words in a row are a name; of hardly any line they are."""
    for spot, key in enumerate(keys):
        if key in _BEGINNINGS:
            for count in range(1, _LONGEST + 1):
                joined = "".join(keys[spot : spot + count])
                if joined in SURE or joined in AMBIGUOUS:
                    return True
    return False


def named_by(text: str) -> str | None:
    """The data set that a short text in code, such as "cifar10", is the name of."""
    return SURE.get(_squeezed(text))


def _bounded(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for match in _WORDS.finditer(text):
        found.append(match)
        if len(found) >= _MOST_WORDS:
            break
    return found


def _if_meant(name: str, text: str, start: int, words: int) -> str | None:
    """An ambiguous name, if it is written as it should be and a word like "dataset" stands near it."""
    if text[start : start + len(name)] != name or words > 1:
        return None
    before = text[max(0, start - 30) : start].rpartition("\n")[2]
    after = text[start + len(name) : start + len(name) + 30].partition("\n")[0]
    return name if _CONTEXT.search(before) or _CONTEXT.search(after) else None
