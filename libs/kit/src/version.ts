/** Version of the kit, as in its package.json. A kind may name the version that it was written for. */
export const KIT_VERSION = '0.1.0';
