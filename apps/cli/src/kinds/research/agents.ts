/** Who asks at each stage of a research. */
export const researchAgents = { reason: 'analyst', critique: 'critic', write: 'writer' } as const;
