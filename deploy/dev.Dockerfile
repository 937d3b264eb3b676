# The image for tests, where Mailpit's stood: docs/dev.md.
#   docker build -t mayfly . && docker build -t mayfly-dev -f deploy/dev.Dockerfile .
FROM mayfly
EXPOSE 1025 8025
CMD ["dev"]
