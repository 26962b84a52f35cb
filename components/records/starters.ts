/** Dockerfiles to begin with: each builds as it is and serves something on a port. */
export const STARTERS = [
  {
    key: 'python',
    dockerfile: `FROM ubuntu:24.04

RUN apt-get update && apt-get install -y --no-install-recommends python3 \\
    && rm -rf /var/lib/apt/lists/*

EXPOSE 8000
CMD ["python3", "-m", "http.server", "8000"]
`,
  },
  {
    key: 'jupyter',
    dockerfile: `FROM python:3.12-slim

RUN pip install --no-cache-dir jupyterlab

WORKDIR /work
EXPOSE 8888
# The log shows the address with its token.
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "--allow-root"]
`,
  },
  {
    key: 'nginx',
    dockerfile: `FROM nginx:1.28-alpine

RUN echo '<h1>It works</h1>' > /usr/share/nginx/html/index.html

EXPOSE 80
`,
  },
] as const;
