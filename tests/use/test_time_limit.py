"""What is under way is ended with its time. The stages are endless, so that no test depends on the clock."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from passnet.use.time_limit import TimeIsOver, time_limit


def seconds(given):
    ends = time.monotonic() + given
    return lambda: max(0.0, ends - time.monotonic())


def endless():
    while True:
        time.sleep(0.01)


def test_an_endless_stage_is_ended():
    with pytest.raises(TimeIsOver), time_limit(seconds(0.05)):
        endless()


def test_a_stage_that_waits_for_a_lock_for_ever_is_ended():
    lock = threading.Lock()
    lock.acquire()
    with pytest.raises(TimeIsOver), time_limit(seconds(0.05)):
        lock.acquire()


def test_what_cleans_up_after_an_interruption_does_so():
    cleaned = []

    def stage():
        try:
            endless()
        except KeyboardInterrupt:
            cleaned.append(1)
            raise

    with pytest.raises(TimeIsOver), time_limit(seconds(0.05)):
        stage()
    assert cleaned == [1]


def test_an_interruption_that_is_swallowed_comes_again(monkeypatch):
    from passnet.use import time_limit as module

    monkeypatch.setattr(module, "_AGAIN_S", 0.02)
    swallowed = []

    def stage():
        while len(swallowed) < 2:
            try:
                endless()
            except TimeIsOver:
                swallowed.append(1)
        endless()

    with pytest.raises(TimeIsOver), time_limit(seconds(0.02)):
        stage()


def test_time_that_does_not_count_is_given_again():
    given = iter([0.01, 0.01, 0.01])
    asked = []

    def left_s():
        asked.append(1)
        return 1.0 if len(asked) == 1 else next(given, 0.0)

    with pytest.raises(TimeIsOver), time_limit(left_s):
        endless()
    assert len(asked) == 5


def test_a_stage_that_ends_in_time_leaves_nothing_behind():
    before = signal.getsignal(signal.SIGUSR2)
    with time_limit(lambda: 600.0):
        pass
    with time_limit(lambda: None):
        pass
    assert signal.getsignal(signal.SIGUSR2) == before
    assert not [thread for thread in threading.enumerate() if thread.name == "time-limit"]


def test_another_thread_is_not_interrupted():
    ended = []

    def work():
        with time_limit(lambda: 0.0):
            ended.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended == [1]
