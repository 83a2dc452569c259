"""One reader for each kind of manifest, all with the signature `read(file, tree) -> Reading`."""
