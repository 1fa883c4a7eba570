export const x = /^[A-Za-z\s]+={0,2}\s*$/;
