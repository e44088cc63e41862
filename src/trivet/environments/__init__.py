"""Makes the environments in which frameworks run, or takes the user's own. Its README explains the hard parts."""

from trivet.environments.accelerator import default_accelerator as default_accelerator
from trivet.environments.accelerator import resolve_device as resolve_device
from trivet.environments.build import ensure as ensure
from trivet.environments.own import own as own
from trivet.environments.plan import plan_for as plan_for
