"""The phrasings of `host.core.tripwire`, as patterns of RE2.

A line is a pattern. It sees words in lower case without apostrophes, one space between them, and ` . ` where
a sentence ends; it begins and ends with a word. `<name>` stands for any of the alternatives that `PARTS` has
under the name.
"""

from collections.abc import Mapping
from typing import Final

PARTS: Final[Mapping[str, str]] = {
    "any": "[^ .]+",
    "end": r"\.|$",
    "not": "never|not|dont|doesnt|didnt|cannot|cant|wont|mustnt|shouldnt",
    "do_not": "do not|dont|never|must not|mustnt|should not|shouldnt",
    "descriptive": "may|might|can|could|would|will|we|they|it|agents|users|that|which|to",
    "adverb": "ever|to|just|simply|blindly|silently|automatically|also",
    "ignore": "ignore|disregard|forget|override|overrule|bypass|discard|neglect|set aside"
    "|pay no attention to",
    "follow": "follow|obey|heed|listen to|comply with|following|obeying|heeding|listening to|complying with",
    "all": "everything|anything|all|what|whatever",
    "rules": "instructions?|directions?|directives?|prompts?|guidelines?|guardrails?|rules|orders|commands"
    "|constraints|restrictions|limits|policies|programming|training",
    "instructions": "instructions?|directions|directives?|guidelines|prompts?|orders",
    "earlier": "previous|prior|above|earlier|preceding|foregoing|former|original|initial"
    "|your|system|developer|safety",
    "filler": "all|any|every|each|of|the|these|those|this|that|my|our|other|and|given|existing|current"
    "|content|messages|text",
    "told": "told|instructed|taught|given|asked",
    "as": "a|an|the|my|our|in|as|acting|operating|called|named|known|playing|new|different|fully"
    "|completely|totally|free|helpful|powerful|rogue|evil|senior",
    "role": "assistant|ai|bot|chatbot|persona|administrator|admin|root|superuser|hacker|jailbroken"
    "|unrestricted|unfiltered|uncensored|dan|developer mode|debug mode|god mode|claude|chatgpt|gpt",
    "unbound": "god|dan|jailbreak|jailbroken|unrestricted|unfiltered|uncensored",
    "act": "act|behave|respond|answer|speak",
    "show": "reveal|show|print|repeat|output|display|tell|give|leak|dump|expose|share|summari[sz]e|recite"
    "|paste|disclose|write|copy|translate|quote",
    "repeat": "repeat|print|output|copy|recite|translate|quote",
    "whole": "me|us|back|out|over|all|of|the|your|exact|full|entire|whole|complete|verbatim|text|contents?"
    "|everything|in|any|every",
    "inner": "own|hidden|secret|full|entire|exact|complete|current|initial|original|internal|underlying",
    "verbatim": "<end>|verbatim|word|above|in full|in its|exactly|and|now|back|to me",
    "hand_over": "reveal|disclose|exfiltrate|print|output|dump|share|tell|show|paste|hand over"
    "|(reply|respond|answer) with",
    "send": "send|e ?mail|mail|post|upload|forward|transmit|exfiltrate|submit|pass|deliver",
    "key": "(api|secret|private|ssh|access|encryption) ?keys?|(seed|recovery) phrase|environment variables"
    "|env vars?|env file|credit card( numbers?| details)?",
    "secret": "<key>|passwords?|passphrases?|passcodes?|credentials?|secrets?"
    "|(access|auth|authentication|authorization|bearer|session|refresh) ?(tokens?|cookies?)",
    "kept": "the|stored|saved|available|known|user|users|customer|system|env",
    "stranger": "me|us|my|this (address|server|url|email|webhook|site)|the following|attacker|evil|pastebin"
    "|an? (external|remote|unknown)|(a|the) webhook",
    "must": "must|have to|need to|are required to|should",
    "use": "run|execute|call|invoke|use|trigger|launch",
    "tool": "tool|function|commands?|script|shell|terminal|code|plugin|api",
    "unasked": "(immediately|right away|at once|right now) (<end>|and|with|to)|now <end>|silently|secretly"
    "|without (asking|confirm|confirming|confirmation|approval|permission|telling|waiting|warning|informing)",
    "delete": "delete|erase|wipe|destroy|remove|drop",
    "user": "((the|your|any|our|a|an|this|human) )*(users?|humans?|operators?|owners?|person|people|anyone"
    "|anybody|supervisors?|administrators?|reviewers?)",
    "never": "(must|should|may|shall|can|need) ?(not|never)",
    "tell": "tell|telling|inform|informing|notify|notifying|alert|alerting|warn|warning",
    "mention": "mention|mentioning|reveal|revealing|disclose|disclosing|report|reporting|show|showing|say",
    "it": "this|it|that|these|those|them|everything|anything|any of this"
    "|(these|this|your|the) (instructions?|messages?|notes?|actions?|tasks?|changes?|conversation|request)",
}

PHRASES: Final[Mapping[str, str]] = {
    "ignore_instructions": r"""
        <ignore> (<filler> )*<earlier> ((<filler>|<earlier>) )*<rules>
        (<do_not>|stop|quit|no longer) <follow> (<filler> )*<earlier> ((<filler>|<earlier>) )*<rules>
        <ignore> (all|any|every)( of)?( the| these| those| other)? <instructions>
        <ignore> (all of )?<all> (that )?you (were|are|have been|ve been) <told>
        <ignore> (all of )?<all> (that )?was (said|written) (above|before|earlier)
        <ignore> (all of )?<all> (that )?(i|we|they) (said|told you|wrote)
        <ignore> (<all> |all of )?(the )?(above|before this|preceding)( text| content)? (<end>|and|instead)
        <ignore> (<filler> )*<instructions> (above|that you|you (were|have))
        new instructions <ignore>
        instructions? (that )?(overrides?|replaces?|supersedes?) (<filler> |your )+<earlier>
    """,
    "role_override": r"""
        you are (now|henceforth|hereby) (<as> )*(<role>|agent|model|character)
        you are (now )?((an? )?<unbound>|evil|an? (ai|assistant|model|bot) (without|with no) <rules>)
        you are no longer (bound|restricted|limited|constrained|(<as> )*(<role>|model))
        you (are|have been) (now )?(freed|liberated|jailbroken|unrestricted|uncensored)
        from now on you (are|must|shall|have to|will (be|<act>|obey|only|always))
        from now on <act> as
        <act> as (if|though) you (are|were|have|had)
        <act> as (<as> )*<role>
        (pretend|imagine) (that )?you (are|were|have|can) (no|(<as> )*(<role>|agent|model|character))
        pretend to be (<as> )*(<role>|agent|model|character)
        (roleplay|role play) as
        (assume|take on) the (role|identity|persona) of (<as> )*<role>
        (enable|enter|activate|switch to|turn on) (the )?<unbound> mode
        your (new|real|true|actual|only) (role|identity|persona|task|goal|purpose|objective|mission) (is|are)
    """,
    "system_prompt": r"""
        your (<inner> )*(system|developer|hidden|meta) ?(prompt|message|instructions?)
        <show> ((me|us|out|back) )?your (<inner> )*(prompt|instructions|guidelines)
        <show> (<whole> )*(initial|original|hidden|secret|first|above|internal) (prompt|instructions)
        <show> (<whole> )*(system|developer) (prompt|instructions|message) <verbatim>
        <repeat> (everything|all|the (text|words|contents?)) above (<end>|this|verbatim|starting|exactly)
        what (is|are|was|were) your (initial|original|first|hidden|secret) (prompt|instructions)
    """,
    "reveal_secret": r"""
        <hand_over> (<whole> )*your (<any> ){0,2}<secret>
        (tell|give|send|show|e ?mail|hand) (me|us) (<any> ){0,4}<secret>
        <send> (<any> ){0,5}<secret> (<any> ){0,4}to <stranger>
        <send> (<any> ){0,2}(all|your|every|any) (<any> ){0,3}<secret> (<any> ){0,4}to (https?|www)
        what (is|are) (all )?(of )?your (<any> )?<secret>
        (print|dump|output|reveal|exfiltrate|disclose|echo|show) (all|every|any) (of )?(<kept> )*<secret>
        (reveal|disclose|exfiltrate) the (<any> ){0,2}<secret>
    """,
    "run_tool": r"""
        <use> (<any> ){0,5}<tool> (<any> ){0,3}<unasked>
        you <must> (now |immediately |first |always )?<use> (<any> ){0,4}tools?
        (<use>|using|with|through|via) your (<any> ){0,2}(tools?|plugins?|(shell|terminal|network) access)
        (call|invoke|trigger|execute) (the |a |an )?(<any> ){1,3}tool (with|on|to|using|and|now)
        (call|invoke|trigger|execute|run) the tool <any>
        <use> (this|these|the following) tool calls?
        use (the |a |an )?(<any> ){0,3}tool to (<delete>|<send>|transfer|pay|buy|order|approve|forget)
        (run|execute) (<any> ){0,2}rm rf
        <delete> (all|every|everything|the entire|your) (<any> ){0,5}(now (<end>|and)|<unasked>)
    """,
    "keep_from_user": r"""
        (<do_not>|avoid) <tell> <user> (about|of (this|that|it)|that|what|you|this|anything|<end>)
        <do_not> let <user> (know|see this|find out|notice)
        (<do_not>|avoid) <mention> (<it>|any) (<any> ){0,4}to <user>
        without (telling|informing|letting) <user>
        without <user> (knowing|finding out|being told)
        (secretly|covertly) (<delete>|<send>|transfer|pay|buy|order|approve|forget|add|change|run|call)
        (keep|hide|conceal|withhold) <it>( a)?( secret| hidden| quiet| confidential)? from <user>
        keep (this|it|that) (a secret|secret|between us|to yourself|hidden|confidential)
        <user> (does not|doesnt|do not|dont) (need|have) to (know|be told) (about|this|<end>)
        <user> <never> (know|find out|notice|be told|hear) (about|of|this|that|it|what|<end>)
    """,
}

DENIED: Final[Mapping[str, str]] = {
    "ignore_instructions": "<not>( <adverb>)?",
    "role_override": "<not>( <adverb>)?",
    "system_prompt": "(<not>|<descriptive>)( <adverb>)?( <show>)?",
    "reveal_secret": "(<not>|<descriptive>)( <adverb>)?",
    "run_tool": "(<not>|<descriptive>)( <adverb>)?",
}
"""By signal, what makes a report or a prohibition of a phrase that it stands right before."""

SIGNS: Final[Mapping[str, str]] = {
    "system_prompt": r"""
        <\|(im_start|start_header_id)\|> ?(system|developer)
        <<sys>>|\[system\]|</? ?(system|developer)[-_ ](prompt|message|instructions?) ?>
        (^|[.!?>\]\}*#=-] ?)(system|developer)( prompt| message)? ?: ?(you|your|ignore|from now|new|override)
        (^|[.!?>\]\}*#=-] ?)(system|developer)( prompt| message)? ?: ?the (assistant|user|model)
    """,
    "run_tool": r"""
        <(antml:)?(tool_calls?|tool_use|function_calls?|invoke name)\b
        \bg6_invoke ?\(
        "(tool_calls|function_call)" ?:
    """,
}
"""Patterns as those of `PHRASES`, without names, that see the signs between words as well."""
