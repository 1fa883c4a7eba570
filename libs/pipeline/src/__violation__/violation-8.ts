export const x = () => Date.now();
