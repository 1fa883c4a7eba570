export const x = /\s+$/;
