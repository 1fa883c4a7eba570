interface Alert {
  payload?: Record<string, unknown>;
}

export const titleOf = ({ payload }: Alert): unknown => payload?.['title'];
