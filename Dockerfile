# The image: one process, not root, on a root file system that may be read-only; everything it keeps is in /data.
#   docker build -t mayfly . && docker run -p 8080:8080 -p 25:2525 -v mayfly:/data --read-only --tmpfs /tmp mayfly
# test/deploy/docker.test.ts reads this file; test/deploy/image.long.test.ts runs its steps without Docker.
FROM node:24.21.0-bookworm AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN node scripts/release.mjs lay-out /opt/mayfly

FROM node:24.21.0-bookworm-slim
WORKDIR /opt/mayfly
RUN install -d -o node -g node -m 0700 /data
COPY --from=build /opt/mayfly ./
ENV NODE_ENV=production MAYFLY_DATA_DIR=/data MAYFLY_HTTP_HOST=0.0.0.0 MAYFLY_SMTP_HOST=0.0.0.0
USER node
VOLUME /data
EXPOSE 8080 2525
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "bin/healthcheck.mjs"]
ENTRYPOINT ["node", "bin/mayfly.mjs"]
CMD ["serve"]
