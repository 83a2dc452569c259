"""Functions that read and write files: which argument is the path, and what they read. One declarative table."""

from __future__ import annotations

import ast

from assay.records import dataclass

_KEYWORDS = (
    "path", "filepath_or_buffer", "filename", "file", "fname", "root", "io", "file_path", "filepath", "directory",
    "data_files", "data_dir", "filenames", "file_name", "fp", "img_path", "train", "name", "path_or_buf",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Access:
    """A family of functions. A name without a dot fits any module; `.name` any method; `a.b` this very function."""

    names: tuple[str, ...]
    position: int = 0
    writes: bool = False
    weights: bool = False
    """Made for models; it reads data only if the file says so."""


_TABLES = (
    "read_csv", "read_table", "read_excel", "read_parquet", "read_feather", "read_pickle", "read_hdf", "read_json",
    "read_fwf", "read_stata", "read_sas", "read_spss", "read_orc", "scan_csv", "scan_parquet", "read_ndjson",
    "read_xml", "read_sql_table", "read_ipc", "read_file", "read_h5ad", "read_10x_h5", "read_10x_mtx", "read_loom",
    "read_mtx",
)  # fmt: skip
_ARRAYS = (
    "numpy.load", "loadtxt", "genfromtxt", "fromfile", "memmap", "loadmat", "h5py.File", "zarr.open",
    "tables.open_file", "netCDF4.Dataset", "xarray.open_dataset", "open_mfdataset", "open_zarr", "load_npz", "mmread",
    "load_svmlight_file", "load_svmlight_files", "loadarff", "arff.load", "uproot.open", "fits.open",
)  # fmt: skip
_OBJECTS = (
    "open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "tf.io.gfile.GFile", "GFile", "gfile.Open",
    "tensorflow.gfile.Open", "smart_open", "zipfile.ZipFile", "tarfile.open", "lmdb.open", "sqlite3.connect",
    "read_text", "read_bytes", "jsonlines.open", "linecache.getlines", "csv_reader", "joblib.load", "mmap_dataset",
)  # fmt: skip
_SIGNALS = (
    "imread", "PIL.Image.open", "Image.open", "librosa.load", "soundfile.read", "sf.read", "wavfile.read",
    "torchaudio.load", "wave.open", "AudioSegment.from_file", "cv2.VideoCapture", "VideoReader", "mimread",
    "nibabel.load", "nib.load", "ReadImage", "dcmread", "read_file", "rasterio.open", "openslide.OpenSlide",
    "OpenSlide", "imageio.imread", "read_image", "load_img", "decode_image", "rdrecord", "rdsamp", "read_raw_edf",
    "read_raw_fif", "read_raw_bdf", "read_raw_gdf", "read_raw_brainvision", "read_point_cloud", "read_triangle_mesh",
    "trimesh.load", "pretty_midi.PrettyMIDI", "converter.parse", "SeqIO.parse", "read_fasta", "SDMolSupplier",
)  # fmt: skip
_GRAPHS = (
    "read_edgelist", "read_gpickle", "read_graphml", "read_gml", "read_adjlist", "read_weighted_edgelist", "Read_Ncol",
    "read_gexf", "node_link_graph",
)  # fmt: skip
_FOLDERS = (
    "ImageFolder", "DatasetFolder", "image_dataset_from_directory", "flow_from_directory",
    "text_dataset_from_directory", "audio_dataset_from_directory", "load_from_disk", "TFRecordDataset",
    "TextLineDataset", "CsvDataset", "FixedLengthRecordDataset", "sklearn.datasets.load_files", "os.listdir",
    "listdir", "os.scandir", "os.walk", "glob.glob", "glob", "iglob", "glob.iglob", "make_csv_dataset", "from_folder",
    "from_name_func", "TabularDataset.splits", "TabularDataset", "LineByLineTextDataset", "TextDataset", "Corpus",
    "LineSentence", "Text8Corpus", "CocoDetection", "COCO", "load_word2vec_format", "from_csv",
)  # fmt: skip
_WRITERS = (
    ".to_csv", ".to_excel", ".to_parquet", ".to_pickle", ".to_feather", ".to_hdf", ".to_json", ".write_csv",
    ".to_file", ".write_parquet", ".save_to_disk", ".write_h5ad", "savetxt", "numpy.save", "numpy.savez",
    "numpy.savez_compressed", "savemat", "save_npz", "imwrite", "imsave", "savefig", ".write_text", ".write_bytes",
    "write_gpickle", "write_graphml", "write_edgelist", "dump_svmlight_file", "soundfile.write", "wavfile.write",
    "TFRecordWriter", "os.makedirs", "makedirs", "os.mkdir", ".mkdir", "extractall", "mkdir_p", "save_image",
    "WriteImage", "write_image",
)  # fmt: skip
_SECOND = ("joblib.dump", "torch.save", "urlretrieve", "copyfile", "shutil.copy", "shutil.move", "download_file")

ROWS = (
    Access((*_TABLES, *_ARRAYS, *_OBJECTS, *_SIGNALS, *_GRAPHS, *_FOLDERS)),
    Access(("torch.load", "pickle.load"), weights=True),
    Access(_WRITERS, writes=True),
    Access(_SECOND, position=1, writes=True),
)
BY_LAST: dict[str, list[tuple[str, Access]]] = {}
for _row in ROWS:
    for _name in _row.names:
        BY_LAST.setdefault(_name.rpartition(".")[2], []).append((_name, _row))


def access_of(name: str, last: str) -> Access | None:
    """The row for a call by its full name, if it reads or writes a file."""
    for wanted, row in BY_LAST.get(last, ()):
        if "." not in wanted:
            return row
        if wanted.startswith(".") or name == wanted or name.endswith("." + wanted):
            return row
    return None


def path_argument(call: ast.Call, row: Access, last: str) -> ast.expr | None:
    """The expression for the path; of a method on a path, the path itself."""
    by_name = next((k.value for k in call.keywords if k.arg in _KEYWORDS), None)
    if len(call.args) > row.position and not isinstance(call.args[row.position], ast.Starred):
        given = call.args[row.position]
        if last in {"open", "read_text", "write_text", "read_bytes", "write_bytes", "glob"} and _is_method(call):
            return call.func.value if isinstance(call.func, ast.Attribute) else given
        return given
    if (
        by_name is None
        and last in {"open", "read_text", "read_bytes", "mkdir"}
        and isinstance(call.func, ast.Attribute)
    ):
        return call.func.value
    return by_name


def opens_to_write(call: ast.Call, last: str) -> bool:
    """Whether an `open`, or one of its like, has a mode that writes."""
    spot = 0 if last in {"open", "File"} and _is_method(call) else 1
    mode = call.args[spot] if len(call.args) > spot else next((k.value for k in call.keywords if k.arg == "mode"), None)
    text = mode.value if isinstance(mode, ast.Constant) and isinstance(mode.value, str) else ""
    return len(text) <= 4 and any(letter in text for letter in "wax+")


def _is_method(call: ast.Call) -> bool:
    """Whether it is `path.open("w")` rather than `gzip.open(path)`: the receiver is no module."""
    receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
    if isinstance(receiver, ast.Name):
        return receiver.id not in _MODULES
    return receiver is not None and not isinstance(receiver, ast.Attribute)


_MODULES = frozenset(
    {
        "io", "codecs", "gzip", "bz2", "lzma", "tarfile", "zipfile", "os", "tf", "gfile", "glob", "rasterio", "lmdb",
        "wave", "Image", "uproot", "zarr", "fits", "h5py", "jsonlines", "xr", "PIL", "fs", "tables", "netCDF4",
        "smart_open",
    }
)  # fmt: skip
