import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { loadConfig } from '../src/config/config.ts';
import { variableNames } from '../src/config/variables.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const dockerfile = read('Dockerfile');
const manifests = readdirSync(join(root, 'deploy/kubernetes')).map((name) => `deploy/kubernetes/${name}`);
const unit = read('deploy/systemd/signalbox.service');
const files = ['Dockerfile', 'compose.yaml', 'docs/operations.md', 'deploy/image/health.mjs', ...manifests];

/** What the image sets for every process in it. */
const imageEnv = Object.fromEntries(
  [...dockerfile.matchAll(/(SIGNALBOX_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
);
const { ports, host } = loadConfig(imageEnv).listen;
const portOf: Readonly<Record<string, number | undefined>> = {
  api: ports.api,
  web: ports.web,
  ops: ports.ops,
  'otlp-grpc': ports.otlpGrpc,
  'otlp-http': ports.otlpHttp,
};

interface Container {
  args?: string[];
  env?: { name: string; value: string }[];
  envFrom?: { secretRef?: { name: string }; configMapRef?: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: { httpGet: { path: string; port: string } };
  readinessProbe: { httpGet: { path: string; port: string } };
  securityContext: { allowPrivilegeEscalation: boolean; readOnlyRootFilesystem: boolean };
}

interface KubernetesObject {
  kind: string;
  metadata: { name: string };
  stringData?: Record<string, string>;
  data?: Record<string, string>;
  spec: {
    selector: Record<string, string>;
    ports: { name: string; port: number; targetPort: string }[];
    template: {
      metadata: { labels: Record<string, string> };
      spec: { securityContext: { runAsNonRoot: boolean }; enableServiceLinks: boolean; containers: [Container] };
    };
  };
}

function objectsIn(file: string): KubernetesObject[] {
  return parseAllDocuments(read(file)).map((document): KubernetesObject => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

/** The environment of a container, with values for the secrets that an operator fills in. */
function environmentOf({ env = [], envFrom = [], args = [] }: Container, objects: readonly KubernetesObject[]) {
  const named = envFrom.map(({ secretRef, configMapRef }) => secretRef?.name ?? configMapRef?.name);
  const shared = objects.filter(
    ({ kind, metadata }) => /^(Secret|ConfigMap)$/.test(kind) && named.includes(metadata.name),
  );
  const roles = args[args.indexOf('--roles') + 1];
  return {
    ...imageEnv,
    ...Object.assign({}, ...shared.map(({ stringData, data }) => ({ ...stringData, ...data }))),
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    ...(args.includes('--roles') && { SIGNALBOX_ROLES: roles }),
    SIGNALBOX_SECRET_KEY: 'a secret key of at least forty characters',
  };
}

describe('every variable that is named exists', () => {
  it.each([...files, 'deploy/systemd/signalbox.service'])('%s', (file) => {
    const named = [...read(file).matchAll(/SIGNALBOX_[A-Z_]*[A-Z](?![A-Z_])/g)].map(([name]) => name);
    const known = new Set<string>(variableNames);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the container image', () => {
  it('has glibc, listens for other machines, exposes the ports, and does not run as root', () => {
    expect(dockerfile).not.toMatch(/alpine(?!:)/);
    expect(host).toBe('0.0.0.0');
    expect(/^EXPOSE (.*)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number).toSorted()).toEqual(
      Object.values(portOf).toSorted(),
    );
    expect(/^USER (\d+)/m.exec(dockerfile)?.[1]).not.toBe('0');
  });

  it('copies files that exist, and that the build context has', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const ignored = read('.dockerignore').split('\n');
    expect(copied.filter((path) => ignored.includes(path.split('/')[0] ?? ''))).toEqual([]);
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('its health check: status %d is exit code %d', async (status, code) => {
    const server = createServer((_, response) => response.writeHead(status).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    // A server that listens on a port has an address.
    const { port } = server.address() as AddressInfo;
    const env = { PATH: process.env.PATH, SIGNALBOX_OPS_PORT: String(port) };
    const exit = await new Promise((done) => {
      execFile(process.execPath, [join(root, 'deploy/image/health.mjs')], { env }, (error) => done(error?.code ?? 0));
    });
    server.close();
    expect(exit).toBe(code);
  });
});

describe('the Compose file', () => {
  const compose: {
    services: { signalbox: { ports: string[]; environment: Record<string, string>; volumes: string[] } };
  } = parseYaml(read('compose.yaml'));
  const { signalbox } = compose.services;

  it('publishes the ports under their numbers, on this machine only', () => {
    for (const mapping of signalbox.ports) {
      const [address, outside, inside] = mapping.split(':');
      expect([address, Object.values(portOf).includes(Number(inside))]).toEqual(['127.0.0.1', true]);
      expect(outside).toBe(inside);
    }
  });

  it('keeps the data folder in a volume, and starts with its variables empty', () => {
    expect(signalbox.volumes.map((volume) => volume.split(':')[1])).toContain(imageEnv.SIGNALBOX_DATA_DIR);
    const unset = Object.fromEntries(Object.keys(signalbox.environment).map((name) => [name, '']));
    expect(loadConfig({ ...imageEnv, ...unset }).publicUrl).toBeUndefined();
  });
});

describe.each(manifests)('%s', (file) => {
  const objects = objectsIn(file);
  const workloads = objects.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment');

  it('gives each process a configuration that it accepts', () => {
    expect(workloads.length).toBeGreaterThan(0);
    for (const { spec } of workloads) {
      const [container] = spec.template.spec.containers;
      const { listen, roles } = loadConfig(environmentOf(container, objects));
      const open = [
        ...(roles.has('api') ? ['api'] : []),
        ...(roles.has('web') ? ['web'] : []),
        ...(roles.has('collector') ? ['otlp-grpc', 'otlp-http'] : []),
        ...(listen.ports.ops === undefined ? [] : ['ops']),
      ];
      expect(container.ports.map(({ name }) => name).toSorted()).toEqual(open.toSorted());
      for (const { name, containerPort } of container.ports)
        expect([name, containerPort]).toEqual([name, portOf[name]]);
    }
  });

  it('asks the ops port for health and readiness, and runs without rights', () => {
    for (const { spec } of workloads) {
      const { securityContext, enableServiceLinks, containers } = spec.template.spec;
      expect({ nonRoot: securityContext.runAsNonRoot, enableServiceLinks }).toEqual({
        nonRoot: true,
        enableServiceLinks: false,
      });
      const [{ livenessProbe, readinessProbe, securityContext: own }] = containers;
      expect(livenessProbe.httpGet).toEqual({ path: '/health', port: 'ops' });
      expect(readinessProbe.httpGet).toEqual({ path: '/ready', port: 'ops' });
      expect(own).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    }
  });

  it('runs the image of this version', () => {
    const images = [...read(file).matchAll(/image: (\S+)/g)].map(([, image]) => image);
    const { version }: { version: string } = JSON.parse(read('package.json'));
    expect(new Set(images)).toEqual(new Set([`signalbox:${version}`]));
  });

  it('has services that lead to ports of pods', () => {
    for (const { spec } of objects.filter(({ kind }) => kind === 'Service')) {
      const pods = workloads.filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([label, value]) => template.metadata.labels[label] === value),
      );
      expect(pods.length).toBeGreaterThan(0);
      const offered = new Set(
        pods.flatMap((pod) => pod.spec.template.spec.containers[0].ports.map(({ name }) => name)),
      );
      for (const { port, targetPort } of spec.ports) {
        expect([targetPort, offered.has(targetPort), port]).toEqual([targetPort, true, portOf[targetPort]]);
      }
    }
  });
});

it('the systemd unit sets valid variables and never restarts after an invalid setting', () => {
  const environment = Object.fromEntries(
    [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  expect(loadConfig(environment).dataFolder).toBe('/var/lib/signalbox');
  expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
  expect(unit).toMatch(/^User=(?!root)/m);
});
