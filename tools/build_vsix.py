"""Packs the VS Code extension: a zip archive with a manifest, the same bytes every time.

`make vsix` runs it. The only package of others that goes in is the language client, pinned and hashed in
`editors/vscode/package-lock.json`, with its licences.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "editors" / "vscode"
OWN = ("package.json", "extension.js", "README.md")
KEPT = frozenset({".js", ".json"})
_TIME = (2000, 1, 1, 0, 0, 0)
_TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="text/javascript"/>\
<Default Extension=".md" ContentType="text/markdown"/><Default Extension=".txt" ContentType="text/plain"/>\
<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
"""
_MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" \
xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id={name} Version={version} Publisher={publisher}/>
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>{tags}</Tags>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def build_vsix(out: Path, parts: Path) -> Path:
    """Pack the extension with the packages in `parts` into the folder `out`."""
    described: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    if not (parts / "node_modules" / "vscode-languageclient").is_dir():
        sys.exit(f"{parts} has no vscode-languageclient: run `make vscode-parts`.")
    files = {
        "[Content_Types].xml": _TYPES.encode(),
        "extension.vsixmanifest": _manifest(described).encode(),
        "extension/LICENSE.txt": (ROOT / "LICENSE").read_bytes(),
        **{f"extension/{name}": (EXTENSION / name).read_bytes() for name in OWN},
        **{f"extension/{path.relative_to(parts).as_posix()}": path.read_bytes() for path in _client_files(parts)},
    }
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"{described['name']}-{described['version']}.vsix"
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, _TIME), content, zipfile.ZIP_DEFLATED)
    return target


def _client_files(parts: Path) -> Iterator[Path]:
    """What the language client runs, and the licences of its packages."""
    for path in (parts / "node_modules").rglob("*"):
        is_run = path.suffix in KEPT and not path.name.startswith(".")
        is_licence = path.name.lower().startswith(("license", "thirdpartynotices"))
        if path.is_file() and (is_run or is_licence):
            yield path


def _manifest(described: dict[str, Any]) -> str:
    return _MANIFEST.format(
        name=quoteattr(described["name"]),
        version=quoteattr(described["version"]),
        publisher=quoteattr(described["publisher"]),
        title=escape(described["displayName"]),
        description=escape(described["description"]),
        tags=escape(",".join(described["keywords"])),
        categories=escape(",".join(described["categories"])),
        engine=quoteattr(described["engines"]["vscode"]),
    )


if __name__ == "__main__":
    out, parts = map(Path, sys.argv[1:])
    sys.stdout.write(f"VS Code extension: {build_vsix(out, parts)}\n")
