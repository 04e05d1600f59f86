"""A client that shakes hands and then says nothing, and never closes: tls_silent.py FOLDER PORT

FOLDER has what `latimer cert` made. It prints when the other side has closed, and ends with its input."""

import socket
import ssl
import sys

folder, port = sys.argv[1:]
context = ssl.create_default_context(cafile=f"{folder}/ca.pem")
context.load_cert_chain(f"{folder}/anna.pem", f"{folder}/anna.key")
secure = context.wrap_socket(socket.create_connection(("127.0.0.1", int(port))), server_hostname="localhost")
print("open", flush=True)
secure.settimeout(60)
assert secure.recv(1) == b"", "the broker said something"
print("closed", flush=True)
sys.stdin.read()
