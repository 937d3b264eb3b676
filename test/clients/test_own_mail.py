"""Many tests at once against one service, each of which sends mail to its own inboxes and reads it: none sees another's.

Run by test/system/pytest-workers.test.ts with pytest-xdist. SMTP_PORT is the service's, TESTS their number.
"""

import os
import secrets
import smtplib
import time
from email.message import EmailMessage

import pytest

TESTS = int(os.environ["TESTS"])


def send(to, subject, code, login=None):
    """Comes again, as mail servers do, when a busy machine turns it away."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "shop@shop.example", to, subject
    mail.set_content(f"Your verification code is {code}.")
    until = time.monotonic() + 120
    while True:
        try:
            with smtplib.SMTP("127.0.0.1", int(os.environ["SMTP_PORT"]), timeout=120) as smtp:
                if login:
                    smtp.ehlo()
                    smtp.login(login.username, login.password)
                smtp.send_message(mail)
            return
        except smtplib.SMTPResponseException as error:
            if error.smtp_code != 421 or time.monotonic() > until:
                raise
        time.sleep(0.1)


@pytest.mark.parametrize("number", range(TESTS))
def test_own_mail(number, inbox, capture, record_property):
    code, other = (str(secrets.randbelow(900_000) + 100_000) for _ in range(2))
    send(inbox.email, f"for {number}", code)
    # The same recipient for all, distinguished by login.
    send("customer@shop.example", f"captured for {number}", other, capture.smtp)
    assert inbox.wait_for_code(timeout=120) == code
    assert capture.wait_for_code(timeout=120) == other
    assert [message.subject for message in inbox.messages()] == [f"for {number}"]
    assert [message.subject for message in capture.messages()] == [f"captured for {number}"]
    record_property("inboxes", f"{inbox.email} {capture.email}")
