export const x = () => new Date();
