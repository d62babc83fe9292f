# PassNet on an NVIDIA GPU: torch brings the CUDA libraries, the host brings the driver. Build from the root:
#     docker build -f docker/cuda.Dockerfile -t passnet:cuda .
#     docker run --rm --gpus all --security-opt seccomp=unconfined passnet:cuda eval demo --device cuda
FROM python:3.12.11-slim-bookworm AS build
WORKDIR /build
RUN python -m venv /opt/passnet
COPY requirements/cuda.txt requirements/cuda.txt
RUN /opt/passnet/bin/pip install --no-cache-dir -r requirements/cuda.txt
COPY . .
RUN /opt/passnet/bin/pip install --no-cache-dir --no-deps .

FROM python:3.12.11-slim-bookworm
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 passnet
COPY --from=build /opt/passnet /opt/passnet
ENV PATH=/opt/passnet/bin:$PATH \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER 10001:10001
WORKDIR /home/passnet
HEALTHCHECK NONE
ENTRYPOINT ["passnet"]
CMD ["doctor"]
