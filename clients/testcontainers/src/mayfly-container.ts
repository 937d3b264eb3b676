// `mayfly dev` in a container.

import { Mayfly } from 'mayfly-client';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

import type { RunningMayfly } from './running-mayfly.ts';

/** The name used by `docker build -t mayfly .` in the repository. */
const defaultImage = 'mayfly';
const [smtpPort, httpPort] = [1025, 8025];
/** Path of Mayfly's own interface in `mayfly dev`; the root serves the dialects of other services. */
const basePath = '/mayfly';
const startTimeout = 60_000;

export class MayflyContainer {
  /** The underlying container, for all other options of testcontainers. */
  readonly container: GenericContainer;

  /** @param image name of an image, or a container from one, for example of `GenericContainer.fromDockerfile` */
  constructor(image: string | GenericContainer = defaultImage) {
    const container = typeof image === 'string' ? new GenericContainer(image) : image;
    this.container = container
      .withCommand(['dev'])
      .withExposedPorts(smtpPort, httpPort)
      .withEnvironment({ MAYFLY_HTTP_HOST: '0.0.0.0', MAYFLY_SMTP_HOST: '0.0.0.0' })
      .withWaitStrategy(Wait.forHttp(`${basePath}/readyz`, httpPort).forStatusCode(200))
      .withStartupTimeout(startTimeout);
  }

  /** Builds the image from the Dockerfile of a clone of the repository. */
  static async fromRepository(folder: string): Promise<MayflyContainer> {
    return new MayflyContainer(
      await GenericContainer.fromDockerfile(folder).build('mayfly', { deleteOnExit: false }),
    );
  }

  async start(): Promise<StartedMayflyContainer> {
    return new StartedMayflyContainer(await this.container.start());
  }
}

export class StartedMayflyContainer implements RunningMayfly {
  readonly container: StartedTestContainer;
  #stopped: Promise<unknown> | undefined;

  constructor(container: StartedTestContainer) {
    this.container = container;
  }

  get url(): string {
    return `http://${bracketed(this.container.getHost())}:${this.container.getMappedPort(httpPort)}${basePath}`;
  }

  get smtpHost(): string {
    return this.container.getHost();
  }

  get smtpPort(): number {
    return this.container.getMappedPort(smtpPort);
  }

  client(): Mayfly {
    return new Mayfly({ url: this.url });
  }

  async stop(): Promise<void> {
    this.#stopped ??= this.container.stop();
    await this.#stopped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
