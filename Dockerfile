# A server for a lab: `docker compose up`. The same pinned and hashed packages as everywhere.
FROM python:3.11-slim

COPY requirements/run.txt /tmp/run.txt
RUN pip install --no-cache-dir --require-hashes --requirement /tmp/run.txt

COPY pyproject.toml README.md LICENSE /app/
COPY src /app/src
RUN pip install --no-cache-dir --no-deps --no-build-isolation /app \
    && pip install --no-cache-dir "psycopg[binary]==3.3.8" \
    && useradd --create-home assay \
    && install --directory --owner=assay /data

USER assay
VOLUME /data
EXPOSE 8765
HEALTHCHECK CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/health', timeout=3)"]
CMD ["assay", "serve", "--host", "0.0.0.0", "--data", "/data", "--port", "8765"]
