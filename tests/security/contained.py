"""Runs commands under an audit hook and prints what they did: processes, sockets, pickles, files written."""

import json
import sys

EVENTS = {
    "os.system": "process",
    "subprocess.Popen": "process",
    "os.exec": "process",
    "os.posix_spawn": "process",
    "socket.connect": "network",
    "socket.getaddrinfo": "network",
    "urllib.Request": "network",
    "pickle.find_class": "pickle",
    "shutil.rmtree": "removal",
    "os.remove": "removal",
}
done: list[tuple[str, str]] = []
watching = False


def hook(event: str, args: tuple[object, ...]) -> None:
    if not watching:
        return
    if event in EVENTS:
        done.append((EVENTS[event], str(args[0])))
    elif event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        done.append(("write", str(args[0])))


if __name__ == "__main__":
    from assay.cli import main

    sys.addaudithook(hook)
    watching = True
    codes = [main(words) for words in json.loads(sys.argv[1])]
    watching = False
    sys.stdout.write("\n" + json.dumps({"codes": codes, "done": done, "modules": sorted(sys.modules)}))
