"""Lets schemathesis send mail as a body: the bytes that it makes up, as they are."""

import schemathesis

schemathesis.serializer.alias("message/rfc822", "application/octet-stream")
