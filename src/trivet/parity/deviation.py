"""Which rule a contestant's updates follow when it is not the declared one: where they deviate, and how."""

from __future__ import annotations

from trivet.parity import conventions, distance
from trivet.parity.cause import Cause
from trivet.parity.recipe import CONSTANTS, MOMENTUM
from trivet.parity.trace import Trace

_DECAY = f"{CONSTANTS['weight_decay']:g}"

FORMS = {
    **conventions.FORMS,
    "nesterov": f"Nesterov's form, v = {MOMENTUM:g} v + g; p −= rate·(g + {MOMENTUM:g} v)",
    "nesterov_inside": f"Nesterov's form, v = {MOMENTUM:g} v − rate·g; p += {MOMENTUM:g} v − rate·g",
    "dampened": f"a dampened form, v = {MOMENTUM:g} v + {1 - MOMENTUM:g} g; p −= rate·v",
    "dampened_later": f"a dampened form, v = g at first, then {MOMENTUM:g} v + {1 - MOMENTUM:g} g; p −= rate·v",
    "no_momentum": "plain descent, p −= rate·g",
    "uncorrected": "Adam without bias correction, p −= rate·m/(√v + ε)",
    "after_correction_coupled": f"coupled weight decay, g + {_DECAY} p in place of g in both moments",
    "before_correction_coupled": f"coupled weight decay, g + {_DECAY} p in place of g in both moments",
    "after_correction_undecayed": "no weight decay",
    "before_correction_undecayed": "no weight decay",
    "by_tensor": "clipping of each gradient tensor by its own norm",
    "by_tensor_guarded": "clipping of each gradient tensor by its own norm",
    "unclipped": "no clipping",
    "late": "the rate of the step before: each change comes one step late",
    "early": "the rate of the next step: each change comes one step early",
    "unchanged": "the first rate to the end",
    "other_momentum": "another momentum, v = {fitted:.6g} v + g; p −= rate·v",
    "coupled_decay": f"coupled weight decay, v = {MOMENTUM:g} v + g + {{fitted:.6g}} p; p −= rate·v",
    "coupled_decay_inside": f"coupled weight decay, v = {MOMENTUM:g} v − rate·(g + {{fitted:.6g}} p); p += v",
    "decoupled_decay": f"decoupled weight decay, v = {MOMENTUM:g} v + g; p −= rate·(v + {{fitted:.6g}} p)",
    "decoupled_decay_inside": f"decoupled weight decay, v = {MOMENTUM:g} v − rate·g; p += v − rate·{{fitted:.6g}} p",
}
"""Part of a replayed form's name -> the rule in words; those with a fitted number come last, since they fit more."""

_RULES = {
    "momentum": (
        "rate_outside",
        "rate_inside",
        "nesterov",
        "nesterov_inside",
        "dampened",
        "dampened_later",
        "no_momentum",
        "other_momentum",
    ),
    "weight_decay": (
        "coupled_decay",
        "coupled_decay_inside",
        "decoupled_decay",
        "decoupled_decay_inside",
        "after_correction_coupled",
        "before_correction_coupled",
        "after_correction_undecayed",
        "before_correction_undecayed",
    ),
    "adam_epsilon": ("after_correction", "before_correction"),
    "bias_correction": ("uncorrected",),
    "clipping": ("exact", "guarded", "by_tensor", "by_tensor_guarded", "unclipped"),
    "learning_rate": ("late", "early", "unchanged"),
}
_RULE_OF = {form: rule for rule, forms in _RULES.items() for form in forms}


def of_update(trace: Trace) -> tuple[str, Cause]:
    """Return which rule a contestant's updates break, and what they follow instead."""
    if trace.still:
        return trace.still[0].rpartition(".")[0], Cause(
            text=f"{', '.join(trace.still)}: a gradient, but no update: frozen, or not handed to the optimizer",
            ours={"trained": False},
            theirs={"trained": True},
        )
    declares = conventions.declared_update(trace)
    words = _words(declares.split(", "))
    fitting = [form for form, replay in trace.replays.items() if replay.worst <= distance.LIMIT]
    changes = {
        form: [part for part in form.split(", ") if part not in declares.split(", ")] for form in fitting
    }
    known = {form: parts for form, parts in changes.items() if parts}
    if known:
        form = min(known, key=lambda form: (len(known[form]), *map(list(FORMS).index, known[form])))
        rules = [_RULE_OF[part] for part in known[form]]
        follows = _words(known[form], trace.replays[form].fitted)
        return rules[0].replace("_", " "), Cause(
            text=f"its steps follow {follows}; it declares {words}",
            ours=dict(zip(rules, known[form], strict=True)),
            theirs={rule: _declared(trace, rule) for rule in rules},
        )
    rule = next(iter(conventions.update_rules(trace)), "update").replace("_", " ")
    replay = trace.replays.get(declares)
    if replay is not None and replay.before <= distance.LIMIT:
        return rule, Cause(
            text=f"its steps follow {words} up to the change of the learning rate, and no known rule after it"
        )
    where = f" (worst in {replay.where})" if replay is not None else ""
    return rule, Cause(text=f"its steps follow no known rule{where}; it declares {words}")


def _words(forms: list[str], fitted: float | None = None) -> str:
    return ", ".join(FORMS.get(form, repr(form)).format(fitted=fitted) for form in forms)


def _declared(trace: Trace, rule: str) -> str:
    """Return the declared form of a rule; what is no matter of declaration as the job asked for it."""
    if rule in conventions.UNDECLARED:
        return conventions.declared(trace, rule)
    if rule == "weight_decay":
        return "decoupled" if trace.optimizer.get("weight_decay") else "none"
    return {"learning_rate": "of each step", "bias_correction": "corrected"}[rule]
