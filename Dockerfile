# The image: one process, not root, on a root file system that may be read-only; everything it keeps is in /data.
#   docker build -t mayfly . && docker run -p 8080:8080 -p 25:2525 -v mayfly:/data --read-only --tmpfs /tmp mayfly
# test/deploy/docker.test.ts reads this file and runs its RUN steps without Docker.
FROM node:20.20.2-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/mail-reader/package.json packages/mail-reader/
COPY clients/cli/package.json clients/cli/
COPY clients/typescript/package.json clients/typescript/
RUN npm ci
COPY . .
RUN node scripts/build.mjs --dist
# What the packages of this repository need is bundled.
RUN npm pkg delete workspaces
RUN npm prune --omit=dev

FROM node:20.20.2-bookworm-slim
WORKDIR /opt/mayfly
RUN install -d -o node -g node -m 0700 /data
COPY --from=build /src/package.json /src/LICENSE ./
COPY --from=build /src/node_modules node_modules
COPY --from=build /src/bin bin
COPY --from=build /src/dist dist
ENV NODE_ENV=production MAYFLY_DATA_DIR=/data MAYFLY_HTTP_HOST=0.0.0.0 MAYFLY_SMTP_HOST=0.0.0.0
USER node
VOLUME /data
EXPOSE 8080 2525
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "bin/healthcheck.mjs"]
ENTRYPOINT ["node", "bin/mayfly.mjs"]
CMD ["serve"]
