import { childEnvironment, type Config } from '@casefile/runtime';

/** The configuration with logs of errors alone, unless LOG_LEVEL says otherwise: the lines on the terminal are for people. */
export function quietly(config: Config): Config {
  if (childEnvironment({})['LOG_LEVEL']) return config;
  return { ...config, env: { ...config.env, LOG_LEVEL: 'error' } };
}
