#!/usr/bin/env python3
"""Serve moto on a free port of 127.0.0.1, print the port, and end when standard input ends.

A test holds the other end of standard input, so the server ends with it, however it ends.
"""
import logging
import sys

from moto.server import ThreadedMotoServer

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
