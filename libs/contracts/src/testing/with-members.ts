/** Returns the port with some members replaced. A spread would lose the methods of a class. */
export function withMembers<T extends object>(port: T, members: Partial<T>): T {
  return Object.assign(Object.create(port) as T, members);
}
