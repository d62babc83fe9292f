"""The channel: bounded messages, descriptors beside them, every misuse a typed error."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passnet.bench.wire import channel as channel_module
from passnet.bench.wire.channel import (
    MAX_MESSAGE_BYTES,
    MAX_REPLY_BYTES,
    Channel,
    ChannelClosed,
    ChannelError,
    ChannelTimeout,
)


@pytest.fixture
def ends() -> Iterator[tuple[Channel, socket.socket]]:
    ours, theirs = Channel.pair()
    yield ours, theirs
    ours.close()
    theirs.close()


def frame(body: bytes) -> bytes:
    return struct.pack("<I", len(body)) + body


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_messages_arrive_whole_and_in_order(messages: list[bytes]) -> None:
    ours, theirs = Channel.pair()
    other = Channel(theirs)
    try:
        for message in messages:
            ours.send(message)
        assert [other.receive(5.0) for _ in messages] == messages
        assert not other.poll()
    finally:
        ours.close()
        other.close()


@given(st.binary(min_size=1, max_size=200), st.lists(st.integers(1, 40), min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_cut_anywhere_a_message_is_the_same(payload: bytes, cuts: list[int]) -> None:
    ours, theirs = Channel.pair()
    try:
        data, cut = frame(payload), 0
        for size in cuts:
            theirs.sendall(data[cut : cut + size])
            cut += size
        theirs.sendall(data[cut:])
        assert ours.receive(5.0) == payload
    finally:
        ours.close()
        theirs.close()


def test_a_message_larger_than_the_socket_buffer_arrives(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    other, big = Channel(theirs.dup()), b"a" * (4 << 20)
    sender = threading.Thread(target=ours.send, args=(big,))
    sender.start()
    assert other.receive(30.0) == big
    sender.join()
    other.close()


@pytest.mark.parametrize("size", [MAX_REPLY_BYTES + 1, MAX_MESSAGE_BYTES, 0xFFFFFFFF])
def test_an_announced_size_is_refused_before_the_body_is_read(ends: tuple[Channel, socket.socket], size: int) -> None:
    ours, theirs = ends
    theirs.sendall(struct.pack("<I", size))  # no body ever follows
    with pytest.raises(ChannelError, match=str(size)) as caught:
        ours.receive(None)
    assert not isinstance(caught.value, ChannelClosed | ChannelTimeout)


def test_too_large_a_message_is_not_sent(ends: tuple[Channel, socket.socket], monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = ends
    monkeypatch.setattr(channel_module, "MAX_MESSAGE_BYTES", 10)
    with pytest.raises(ChannelError, match="at most 10"):
        ours.send(b"01234567890")
    theirs.setblocking(False)
    with pytest.raises(BlockingIOError):
        theirs.recv(1)


@pytest.mark.parametrize("data", [b"", b"\x05", struct.pack("<I", 9), struct.pack("<I", 9) + b'{"a"'])
def test_a_stream_that_ends_early_is_closed(ends: tuple[Channel, socket.socket], data: bytes) -> None:
    ours, theirs = ends
    theirs.sendall(data)
    theirs.close()
    with pytest.raises(ChannelClosed):
        ours.receive(5.0)


@pytest.mark.parametrize("data", [b"", b"\x05", struct.pack("<I", 9) + b'{"a"'])
def test_silence_is_a_timeout(ends: tuple[Channel, socket.socket], data: bytes) -> None:
    ours, theirs = ends
    theirs.sendall(data)
    with pytest.raises(ChannelTimeout):
        ours.receive(0.01)


def test_sending_into_a_closed_channel(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    theirs.close()
    with pytest.raises(ChannelClosed):
        ours.send(b"a" * (1 << 20))


def test_poll_sees_messages_beginnings_and_the_end(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    assert not ours.poll()
    theirs.sendall(frame(b'{"a": 1}') + frame(b'{"b": 2}'))
    assert ours.poll()
    ours.receive(5.0)
    assert ours.poll(), "the second message is already in the buffer"
    ours.receive(5.0)
    assert not ours.poll()
    theirs.close()
    assert ours.poll()


def test_descriptors_travel_with_a_message_and_are_owned_by_the_taker(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    other = Channel(theirs.dup())
    read, write = os.pipe()
    ours.send(b"pipe", (write,))
    os.close(write)
    assert other.receive(5.0) == b"pipe"
    (taken,) = other.take_fds()
    assert other.take_fds() == []
    os.write(taken, b"through")
    os.close(taken)
    assert os.read(read, 100) == b"through"
    assert os.read(read, 100) == b"", "closing the channel's copy was the last writer"
    os.close(read)
    other.close()


def test_descriptors_that_nobody_took_are_closed_with_the_channel(ends: tuple[Channel, socket.socket]) -> None:
    ours, theirs = ends
    other = Channel(theirs.dup())
    read, write = os.pipe()
    ours.send(b"", (write,))
    os.close(write)
    other.receive(5.0)
    other.close()
    assert os.read(read, 100) == b""
    os.close(read)


def test_a_message_that_went_out_whole_is_not_sent_on():
    """The other side may have read it and gone: to send nothing more would fail."""

    class Gone(socket.socket):
        def sendall(self, *_: object) -> None:
            raise BrokenPipeError

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with Gone(fileno=ours.detach()) as sock, theirs:
        Channel(sock, accepts_fds=False).send(b"leave")
        assert b"leave" in theirs.recv(100)
