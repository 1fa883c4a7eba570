// Starts the services as processes with the environments that docker-compose.yml or k8s/ give to their
// containers. Stores, ports and the configuration file are those of this machine.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@casefile/embedded/testing';
import { root } from '../root.mjs';

/** Timeout for processes that hang. Six processes that start concurrently take minutes on a busy machine. */
const READY_WITHIN_MS = 240_000;

/**
 * Starts one process per container and waits until all are ready.
 * @param containers In the form of `composeContainers` and `kubernetesContainers`. `services`, if present,
 * names all services that a container hosts.
 * @param at databaseUrl, queueUrl, configFile (replaces the containers'), folder (the current folder of the
 * processes) and extra variables for every process.
 * @returns { urlOf(name), stop() }
 */
export async function startContainers(containers, { databaseUrl, queueUrl, configFile, folder, extra = {} }) {
  const ports = {};
  for (const { name, services = [name] } of containers)
    for (const service of services) ports[portVariable(service)] = String(await freePort());
  const log = openSync(join(folder, 'services.log'), 'a');
  const children = containers.map(({ name, command, environment }) => {
    const entries = Object.entries(environment).filter(([, value]) => value !== undefined);
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      ...Object.fromEntries(entries),
      DATABASE_URL: databaseUrl,
      QUEUE_URL: queueUrl,
      CASEFILE_CONFIG: configFile,
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...ports,
      ...extra,
    };
    const [, script, ...args] = command;
    return {
      name,
      process: spawn(process.execPath, [join(root, script), ...args], {
        cwd: folder,
        env,
        stdio: ['ignore', log, log],
      }),
    };
  });
  closeSync(log);
  const urlOf = (name) => `http://127.0.0.1:${ports[portVariable(name)]}`;
  const stop = () => Promise.all(children.map(({ process: child }) => ended(child)));
  try {
    await Promise.all(children.map(({ name, process: child }) => ready(name, urlOf(name), child, folder)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { urlOf, stop };
}

const portVariable = (name) => `${name.toUpperCase().replaceAll('-', '_')}_PORT`;

async function ready(name, url, child, folder) {
  for (const until = Date.now() + READY_WITHIN_MS; Date.now() < until;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${name} ended as it started; its log is in ${folder}`);
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${name} was not ready within ${READY_WITHIN_MS} ms; its log is in ${folder}`);
}

function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  return gone;
}
