"""The data that passes between the controller and a worker: messages, shared memory, keys of inputs."""
