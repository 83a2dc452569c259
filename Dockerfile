# Two images from the same pinned and hashed packages as everywhere:
#   docker build --target core -t assay:core .   the command line: scores, leakage in code, repositories, papers, checklists
#   docker build -t assay .                      everything, as a server for a lab (`docker compose up`)
FROM python:3.11-slim AS base
RUN useradd --create-home assay && install --directory --owner=assay /data
COPY pyproject.toml README.md LICENSE /app/
COPY src /app/src

FROM base AS core
COPY requirements/core.txt /tmp/core.txt
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/core.txt \
    && pip install --no-cache-dir --no-deps --no-build-isolation /app
USER assay
WORKDIR /data
HEALTHCHECK CMD ["assay", "--version"]
ENTRYPOINT ["assay"]

FROM base AS full
COPY requirements/run.txt /tmp/run.txt
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/run.txt \
    && pip install --no-cache-dir --no-deps --no-build-isolation /app \
    && pip install --no-cache-dir "psycopg[binary]==3.3.8"
USER assay
VOLUME /data
EXPOSE 8765
HEALTHCHECK CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/health', timeout=3)"]
CMD ["assay", "serve", "--host", "0.0.0.0", "--data", "/data", "--port", "8765"]
