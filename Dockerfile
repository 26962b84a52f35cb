# Console and agent in one image; what runs is the command. BASE lets a machine without a registry build from its own
# image of Node 20 (Debian, glibc).
ARG BASE=node:20-bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json ./
# better-sqlite3 is compiled: slim images lack the compiler, most have Node's headers.
RUN command -v g++ >/dev/null || (apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*)
RUN prefix=$(dirname "$(dirname "$(command -v node)")"); \
  [ ! -f "$prefix/include/node/node.h" ] || export npm_config_nodedir="$prefix"; \
  npm ci --include=dev --no-audit --no-fund --loglevel=error
COPY . .
RUN npm run build && mkdir -p public && rm -rf .next/cache
# What only builds goes: packages, the sources of SQLite, and of Next its compiler, its development half and its maps.
RUN npm prune --omit=dev --no-audit --no-fund --loglevel=error && cd node_modules && \
  rm -rf @next/swc-* @playwright playwright playwright-core next/dist/esm next/dist/docs && \
  find next/dist \( -name '*.map' -o -name '*.dev.js' \) -type f -delete && \
  cd better-sqlite3 && mv build/Release/better_sqlite3.node . && rm -rf build deps src && \
  mkdir -p build/Release && mv better_sqlite3.node build/Release/

FROM ${BASE}
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOME=/tmp BERTH_DATA_DIR=/data BERTH_AGENT_STATE_DIR=/state
# In a read-only container the system's folders are no place for what SQLite puts aside, and larger writes would fail.
ENV SQLITE_TMPDIR=/data
# Fresh named volumes take the owner from here.
RUN mkdir -p /data /state /join && chown 1000:1000 /data /state /join
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/public ./public
COPY --from=build /app/drizzle ./drizzle
COPY --from=build /app/messages ./messages
COPY --from=build /app/dist ./dist
COPY --from=build /app/.next ./.next
# An agent needs the engine's socket, so it is run with `--user 0`.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/api/health').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/server.mjs"]
