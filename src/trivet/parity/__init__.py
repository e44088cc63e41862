"""The parity gate: the proof that contestants compute the same function. Without it, no ranking.

=======================  ========================================================================
`gate`                   the whole: traces, judges, keeps the report
`tracing`, `scratch`     runs the traces in workers; a folder for their tensors
`recipe`                 the gate's own constants: steps, rates, batch
`trace`                  what one contestant computed
`distance`, `checks`     the measure and its limits; what is compared, in which order
`conventions`            the closed list of rules that frameworks really have differently
`compare`, `groups`      every tensor of every pair; who is right: the largest agreeing group
`difference`, `cause`    where a contestant first parts from the reference, and why
`finite`                 where a contestant's numbers stop being finite
`kernels`, `deviation`   what a kernel's gradient tells of its use; which rule updates follow instead of the declared
`initial`                where programs would start from other values: told apart, blocks nothing
`judge`                  a verdict for everyone
`cache`                  reports kept between runs
=======================  ========================================================================
"""
