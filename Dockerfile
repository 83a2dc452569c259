# Two images from the same pinned and hashed packages as everywhere:
#   docker build --target core -t assay:core .   the command line: scores, leakage in code, repositories, papers, checklists
#   docker build -t assay .                      everything, as a server for a lab (`docker compose up`)
# Packages are installed in stages of their own; an image holds the installed environment alone, not the sources.
FROM python:3.11-slim AS source
COPY pyproject.toml README.md LICENSE /app/
COPY requirements /app/requirements
COPY src /app/src
RUN python -m venv --without-pip /opt/assay

FROM source AS core-packages
RUN pip --python /opt/assay/bin/python install --no-cache-dir --require-hashes --requirement /app/requirements/core.txt \
    && pip --python /opt/assay/bin/python install --no-cache-dir --no-deps --no-build-isolation /app

FROM source AS full-packages
RUN pip --python /opt/assay/bin/python install --no-cache-dir --require-hashes --requirement /app/requirements/run.txt \
    && pip --python /opt/assay/bin/python install --no-cache-dir --no-deps --no-build-isolation /app

FROM python:3.11-slim AS base
RUN useradd --create-home assay && install --directory --owner=assay /data
ENV PATH=/opt/assay/bin:$PATH
WORKDIR /data

FROM base AS core
COPY --from=core-packages /opt/assay /opt/assay
USER assay
HEALTHCHECK CMD ["assay", "--version"]
ENTRYPOINT ["assay"]

FROM base AS full
COPY --from=full-packages /opt/assay /opt/assay
USER assay
VOLUME /data
EXPOSE 8765
HEALTHCHECK CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/health', timeout=3)"]
CMD ["assay", "serve", "--host", "0.0.0.0", "--data", "/data", "--port", "8765"]
