import os
import random
import smtplib
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs

codes = {}


class App(BaseHTTPRequestHandler):
    """POST /sign-up takes `email` and mails a code, POST /confirm takes both."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        email = form["email"]
        if self.path == "/sign-up":
            codes[email] = str(random.randint(100_000, 999_999))
            send(email, "Confirm your address", f"Your code is {codes[email]}.")
            self.send_response(200)
        else:
            self.send_response(200 if codes.get(email) == form["code"] else 403)
        self.end_headers()


def send(to, subject, text):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Shop <hello@shop.example>", to, subject
    mail.set_content(text)
    with smtplib.SMTP(os.environ["SMTP_HOST"], int(os.environ["SMTP_PORT"])) as server:
        server.send_message(mail)
