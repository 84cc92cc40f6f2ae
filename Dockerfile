# The program with everything it needs, for one process or for one role of several. Needs glibc: the embedded engine
# has no build for Alpine.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
    SIGNALBOX_HOST=0.0.0.0 \
    SIGNALBOX_DATA_DIR=/data \
    SIGNALBOX_OPS_PORT=8081
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist ./dist
COPY --from=build /build/node_modules ./node_modules
COPY deploy/image/health.mjs ./
# A new named volume takes over the owner of the folder that it is mounted to.
RUN mkdir /data /backups && chown 1000:1000 /data /backups && ln -s /app/bin/signalbox.mjs /usr/local/bin/signalbox && chmod 755 /app/bin/signalbox.mjs
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
# API, web UI, health and metrics, OTLP/gRPC, OTLP/HTTP.
EXPOSE 8000 8080 8081 4317 4318
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/health.mjs"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/bin/signalbox.mjs"]
CMD ["serve"]
