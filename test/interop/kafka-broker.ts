import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const java = ['-Xmx512m', '-XX:TieredStopAtLevel=1'];

export const users = {
  plain: { username: 'ada', password: 'plain-secret' },
  scram256: { username: 'bob', password: 'scram-secret-256' },
  scram512: { username: 'eve', password: 'scram-secret-512' },
};

/** Apache Kafka in KRaft mode: one node, with listeners for plain text, SASL, SASL over TLS, and TLS with client certificates. */
export class KafkaBroker {
  readonly ports: { plain: number; controller: number; sasl: number; saslTls: number; mutualTls: number };
  readonly #classPath: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(classPath: string, folder: string, ports: KafkaBroker['ports']) {
    this.#classPath = classPath;
    this.#folder = folder;
    this.ports = ports;
  }

  static async start(classPath: string): Promise<KafkaBroker> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-kafka-'));
    const [plain = 0, controller = 0, sasl = 0, saslTls = 0, mutualTls = 0] = await freePorts(5);
    const broker = new KafkaBroker(classPath, folder, { plain, controller, sasl, saslTls, mutualTls });
    await broker.#makeCertificates();
    writeFileSync(join(folder, 'server.properties'), broker.#properties());
    await broker.#format();
    await broker.launch();
    return broker;
  }

  /** PEM text of `ca.crt`, `client.crt` or `client.key`. */
  pem(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }

  async launch(): Promise<void> {
    const argv = [...java, '-cp', this.#classPath, 'kafka.Kafka', join(this.#folder, 'server.properties')];
    const child = spawn('java', argv, { stdio: ['ignore', 'pipe', 'ignore'] });
    this.#child = child;
    child.stdout?.resume();
    process.once('exit', () => child.kill('SIGKILL'));
    for (let tries = 0; tries < 600; tries++) {
      if (child.exitCode !== null) throw new Error('the broker has ended');
      if (await accepts(this.ports.plain)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the broker does not listen');
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Lines as records, sent by Kafka's own producer. */
  async produce(topic: string, compression: string, lines: readonly string[]): Promise<void> {
    const argv = [...java, '-cp', this.#classPath, 'org.apache.kafka.tools.ConsoleProducer'];
    const target = ['--bootstrap-server', `127.0.0.1:${this.ports.plain}`, '--topic', topic];
    const child = spawn('java', [...argv, ...target, '--compression-codec', compression], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end(`${lines.join('\n')}\n`);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`the producer ended with ${code}`);
  }

  async #format(): Promise<void> {
    const argv = [...java, '-cp', this.#classPath, 'kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg'];
    const { scram256, scram512 } = users;
    const scram = [
      `SCRAM-SHA-256=[name=${scram256.username},password=${scram256.password}]`,
      `SCRAM-SHA-512=[name=${scram512.username},password=${scram512.password}]`,
    ].flatMap((user) => ['--add-scram', user]);
    await run('java', [...argv, '-c', join(this.#folder, 'server.properties'), ...scram]);
  }

  /** An authority, and a certificate of the broker and one of a client that it has signed. */
  async #makeCertificates(): Promise<void> {
    const openssl = (...argv: string[]) => run('openssl', argv, { cwd: this.#folder });
    const subject = (name: string) => ['-subj', `/CN=${name}`];
    await openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '30',
      ...subject('authority'),
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
    );
    writeFileSync(join(this.#folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost');
    for (const name of ['broker', 'client']) {
      await openssl(
        'req',
        '-newkey',
        'rsa:2048',
        '-nodes',
        ...subject(name),
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
      );
      await openssl(
        'x509',
        '-req',
        '-in',
        `${name}.csr`,
        '-CA',
        'ca.crt',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-days',
        '30',
        '-extfile',
        'names',
        '-out',
        `${name}.crt`,
      );
    }
  }

  #properties(): string {
    const { plain, controller, sasl, saslTls, mutualTls } = this.ports;
    const oneLine = (name: string) => this.pem(name).trim().replaceAll('\n', '\\n');
    const listeners = [
      `PLAINTEXT://127.0.0.1:${plain}`,
      `SASL://127.0.0.1:${sasl}`,
      `SASLTLS://127.0.0.1:${saslTls}`,
      `MUTUAL://127.0.0.1:${mutualTls}`,
    ].join(',');
    const login = 'org.apache.kafka.common.security';
    const ofSasl = ['sasl', 'sasltls'].flatMap((listener) => [
      `listener.name.${listener}.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512`,
      `listener.name.${listener}.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${users.plain.username}="${users.plain.password}";`,
      `listener.name.${listener}.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;`,
      `listener.name.${listener}.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;`,
    ]);
    return [
      'process.roles=broker,controller',
      'node.id=1',
      `controller.quorum.voters=1@127.0.0.1:${controller}`,
      `listeners=${listeners},CONTROLLER://127.0.0.1:${controller}`,
      `advertised.listeners=${listeners}`,
      'controller.listener.names=CONTROLLER',
      'inter.broker.listener.name=PLAINTEXT',
      'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_PLAINTEXT,SASLTLS:SASL_SSL,MUTUAL:SSL',
      ...ofSasl,
      'ssl.keystore.type=PEM',
      `ssl.keystore.certificate.chain=${oneLine('broker.crt')}`,
      `ssl.keystore.key=${oneLine('broker.key')}`,
      'ssl.truststore.type=PEM',
      `ssl.truststore.certificates=${oneLine('ca.crt')}`,
      'listener.name.mutual.ssl.client.auth=required',
      `log.dirs=${join(this.#folder, 'data')}`,
      'offsets.topic.replication.factor=1',
      'offsets.topic.num.partitions=1',
      'transaction.state.log.replication.factor=1',
      'transaction.state.log.min.isr=1',
      'group.initial.rebalance.delay.ms=0',
      'num.network.threads=2',
      'num.io.threads=2',
      '',
    ].join('\n');
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const place = server.address();
    return typeof place === 'object' && place ? place.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
