export const x = process.env;
