import { childEnvironment, type Config } from '@casefile/runtime';

/**
 * Returns the configuration with only errors logged, unless LOG_LEVEL is set. The terminal is for lines for
 * people.
 */
export function quietly(config: Config): Config {
  if (childEnvironment({})['LOG_LEVEL']) return config;
  return { ...config, env: { ...config.env, LOG_LEVEL: 'error' } };
}
