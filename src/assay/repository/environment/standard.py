"""Modules that come with the language, in any version that audited code may have been written for."""

from __future__ import annotations

import sys

_GONE = """
    BaseHTTPServer Bastion CGIHTTPServer ConfigParser Cookie DocXMLRPCServer HTMLParser MimeWriter Queue
    ScrolledText SimpleHTTPServer SimpleXMLRPCServer SocketServer StringIO Tix Tkinter UserDict UserList UserString
    _winreg aifc anydbm asynchat asyncore audioop binhex cPickle cProfile cStringIO cgi cgitb chunk commands
    compiler cookielib copy_reg crypt dbhash distutils dl dircache dumbdbm dummy_thread dummy_threading exceptions
    formatter fpformat ftplib gdbm hotshot htmlentitydefs htmllib httplib ihooks imghdr imp imputil itertools
    lib2to3 macpath mailcap markupbase md5 mhlib mimetools mimify msilib multifile mutex new nis nntplib ossaudiodev
    os2emxpath parser pipes popen2 posixfile repr rexec rfc822 robotparser sets sgmllib sha smtpd sndhdr spwd
    statvfs stringold strop sunau sunaudio symbol telnetlib thread tkColorChooser tkCommonDialog tkFileDialog tkFont
    tkMessageBox tkSimpleDialog toaiff ttk turtle urllib2 urlparse user uu whichdb whrandom xdrlib xmllib xmlrpclib
    xreadlines __builtin__ future_builtins
"""
_NEW = "annotationlib compression graphlib pathlib tomllib zoneinfo _pyrepl"

_ALWAYS_THERE = ("__main__", "test", "pip", "setuptools", "pkg_resources", "wheel")
"""Not of the standard library, but in nearly every environment for as long as audited code has existed."""

MODULES = frozenset([*sys.stdlib_module_names, *_GONE.split(), *_NEW.split(), *_ALWAYS_THERE])
"""Everything that needs no declaration, in Python 2.7 to today's."""

PLATFORMS = {
    "PySpin": "Spinnaker SDK",
    "arcpy": "ArcGIS",
    "awsglue": "AWS Glue",
    "bgl": "Blender",
    "blf": "Blender",
    "bmesh": "Blender",
    "bpy": "Blender",
    "bpy_extras": "Blender",
    "c4d": "Cinema 4D",
    "cv_bridge": "ROS",
    "dbruntime": "Databricks",
    "dbutils": "Databricks",
    "google.colab": "Google Colab",
    "google3": "Google's own machines",
    "hou": "Houdini",
    "image_geometry": "ROS",
    "ij": "ImageJ",
    "isaacgym": "NVIDIA Isaac Gym",
    "java": "Jython",
    "javax": "Jython",
    "js": "Pyodide",
    "kaggle_datasets": "Kaggle",
    "kaggle_secrets": "Kaggle",
    "mathutils": "Blender",
    "maya": "Maya",
    "micropip": "Pyodide",
    "message_filters": "ROS",
    "omni": "NVIDIA Omniverse",
    "pyodide": "Pyodide",
    "rclpy": "ROS",
    "rosbag": "ROS",
    "roslib": "ROS",
    "rospy": "ROS",
    "smdistributed": "Amazon SageMaker",
    "tf": "ROS",
    "tf2_ros": "ROS",
    "turtlesim": "ROS",
    "unreal": "Unreal Engine",
}
"""Modules that only a certain platform has; nobody can install them from an index."""

JULIA = frozenset(
    {
        "ArgTools", "Artifacts", "Base", "Base64", "CRC32c", "Core", "Dates", "DelimitedFiles", "Distributed",
        "Downloads", "FileWatching", "Future", "InteractiveUtils", "LazyArtifacts", "LibCURL", "LibGit2", "Libdl",
        "LinearAlgebra", "Logging", "Markdown", "Mmap", "NetworkOptions", "Pkg", "Printf", "Profile", "REPL", "Random",
        "SHA", "Serialization", "SharedArrays", "Sockets", "SparseArrays", "Statistics", "SuiteSparse", "TOML", "Tar",
        "Test", "UUIDs", "Unicode",
    }
)  # fmt: skip
"""Julia's standard library, which Project.toml has to list all the same."""


def platform_of(module: str) -> str:
    """The only platform that has a module; empty when there is none of that kind."""
    top = module.partition(".")[0]
    if top.endswith(("_msgs", "_srvs", "_ros")):
        return "ROS"
    return next((PLATFORMS[name] for name in (module, ".".join(module.split(".")[:2]), top) if name in PLATFORMS), "")
