import threading
from http.server import ThreadingHTTPServer

import httpx
import pytest
from app import App


@pytest.fixture
def app():
    server = ThreadingHTTPServer(("127.0.0.1", 0), App)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with httpx.Client(base_url=f"http://127.0.0.1:{server.server_port}") as client:
        yield client
    server.shutdown()


def test_signs_up_with_the_code_from_the_mail(app, inbox):
    app.post("/sign-up", data={"email": inbox.email})
    code = inbox.wait_for_code()
    assert app.post("/confirm", data={"email": inbox.email, "code": code}).status_code == 200
