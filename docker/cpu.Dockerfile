# PassNet on a CPU. Build from the root of the repository:
#     docker build -f docker/cpu.Dockerfile -t passnet:cpu .
# The sandbox of passes needs user namespaces:
#     docker run --rm --security-opt seccomp=unconfined passnet:cpu eval demo
# TORCH_INDEX: where torch's CPU builds are; torch's installation page has the address.
FROM python:3.12.11-slim-bookworm AS build
ARG TORCH_INDEX
WORKDIR /build
RUN python -m venv /opt/passnet
COPY requirements/cpu.txt requirements/cpu.txt
RUN /opt/passnet/bin/pip install --no-cache-dir --no-deps ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} \
    -r requirements/cpu.txt
COPY . .
RUN /opt/passnet/bin/pip install --no-cache-dir --no-deps .

FROM python:3.12.11-slim-bookworm
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 passnet
COPY --from=build /opt/passnet /opt/passnet
ENV PATH=/opt/passnet/bin:$PATH
USER 10001:10001
WORKDIR /home/passnet
HEALTHCHECK NONE
ENTRYPOINT ["passnet"]
CMD ["doctor"]
