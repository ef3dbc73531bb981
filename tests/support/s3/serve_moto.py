#!/usr/bin/env python3
"""Serve moto on a free port of 127.0.0.1, print the port, and end when standard input ends.

A test holds the other end of standard input, so the server ends with it, however it ends.

One answer is put right: moto names the root of GetBucketVersioning's answer `GetBucketVersioningResponse`, S3 names it
`VersioningConfiguration`. Python's client does not look at it, others refuse the document.
"""
import logging
import sys

from moto.s3.responses import S3Response
from moto.server import ThreadedMotoServer

answer = S3Response.get_bucket_versioning


def with_the_right_root(self):
    status, headers, body = answer(self)
    text = body.decode() if isinstance(body, bytes) else body
    return status, headers, text.replace("GetBucketVersioningResponse", "VersioningConfiguration")


S3Response.get_bucket_versioning = with_the_right_root

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
server.stop()
